/* A program whose own, hooked functions stand in for some that the runtime calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static volatile unsigned sink;
static unsigned long writes;

__attribute__((noinline)) void step(void)
{
    sink++;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset);
ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset)
{
    writes++;
    return syscall(SYS_pwrite64, fd, data, size, offset);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    writes++;
    return syscall(SYS_pwrite64, fd, data, size, offset);
}

int fchmod(int fd, mode_t mode)
{
    writes++;
    return (int)syscall(SYS_fchmod, fd, mode);
}

__attribute__((no_instrument_function)) int main(void)
{
    for (int i = 0; i < 30000; i++)
        step();
    printf("writes %lu\n", writes);
    return 0;
}
