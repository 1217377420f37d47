/* A kernel that knows no MADV_WIPEONFORK. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNHOOKED __attribute__((no_instrument_function))

UNHOOKED int madvise(void *address, size_t length, int advice)
{
    (void)address;
    (void)length;
    errno = EINVAL;
    return advice == 18 ? -1 : 0;
}

__attribute__((noinline)) static void step(void) { __asm__ volatile(""); }

UNHOOKED int main(void)
{
    step();
    pid_t child = fork();
    step();
    if (child > 0)
        waitpid(child, NULL, 0);
    else
        step();
    return 0;
}
