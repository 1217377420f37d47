/* A program in which a call of libc's fails, the Nth of its name, or from that on:
 * `fails NAME N once|on ERRNO`.  Without arguments nothing fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_HOOK __attribute__((no_instrument_function))
static volatile unsigned sink;
static const char *failing;
static int from, until, error;
static int count;

/* Before the runtime begins. */
NO_HOOK static void arguments(int argc, char **argv, char **unused)
{
    (void)unused;
    if (argc < 5)
        return;
    from = atoi(argv[2]);
    until = strcmp(argv[3], "once") == 0 ? from : 1 << 30;
    error = atoi(argv[4]);
    failing = argv[1];
}
__attribute__((section(".preinit_array"), used)) static void (*const early)(int, char **, char **) = arguments;

NO_HOOK static int fails(const char *name)
{
    if (!failing || strcmp(name, failing) != 0)
        return 0;
    int number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (number < from || number > until)
        return 0;
    errno = error;
    return 1;
}

NO_HOOK void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
    return fails("mmap") ? MAP_FAILED : (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

NO_HOOK void *mremap(void *at, size_t old, size_t size, int flags, ...)
{
    return fails("mremap") ? MAP_FAILED : (void *)syscall(SYS_mremap, at, old, size, flags);
}

NO_HOOK int open64(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = va_arg(list, int);
    va_end(list);
    return fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

NO_HOOK int fallocate64(int fd, int mode, off64_t offset, off64_t size)
{
    return fails("fallocate") ? -1 : (int)syscall(SYS_fallocate, fd, mode, offset, size);
}

NO_HOOK ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
    return fails("pwrite") ? -1 : syscall(SYS_pwrite64, fd, data, size, offset);
}

NO_HOOK int fchmod(int fd, mode_t mode)
{
    return fails("fchmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

NO_HOOK int unlink(const char *path)
{
    return fails("unlink") ? -1 : (int)syscall(SYS_unlink, path);
}

NO_HOOK int madvise(void *at, size_t size, int advice)
{
    return fails("madvise") ? -1 : (int)syscall(SYS_madvise, at, size, advice);
}

NO_HOOK int pthread_key_create(pthread_key_t *key, void (*end)(void *))
{
    extern int __pthread_key_create(pthread_key_t *, void (*)(void *));
    return fails("pthread_key_create") ? EAGAIN : __pthread_key_create(key, end);
}

__attribute__((noinline)) void step(void)
{
    sink++;
}

__attribute__((noinline)) void deep(int depth)
{
    if (depth)
        deep(depth - 1);
    sink++;
}

static jmp_buf env;

__attribute__((noinline)) void jumps(void)
{
    step();
    longjmp(env, 1);
}

#define TWO(n) __attribute__((noinline)) void many_##n(void) { sink += n; } \
    __attribute__((noinline)) void more_##n(void) { sink += n + 1; }
#define TEN(n) TWO(n##0) TWO(n##1) TWO(n##2) TWO(n##3) TWO(n##4) TWO(n##5) TWO(n##6) TWO(n##7)
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6)
#define CALL_TWO(n) many_##n(); more_##n();
#define CALL_TEN(n) CALL_TWO(n##0) CALL_TWO(n##1) CALL_TWO(n##2) CALL_TWO(n##3) CALL_TWO(n##4) CALL_TWO(n##5) \
    CALL_TWO(n##6) CALL_TWO(n##7)

NO_HOOK static void *body(void *data)
{
    for (int i = 0; i < 9000; i++)
        step();
    CALL_TEN(1) CALL_TEN(2) CALL_TEN(3) CALL_TEN(4) CALL_TEN(5) CALL_TEN(6)
    deep(1000);
    return data;
}

NO_HOOK int main(void)
{
    pthread_t thread;
    if (!setjmp(env))
        jumps();
    pthread_create(&thread, NULL, body, NULL);
    body(NULL);
    pthread_join(thread, NULL);
    puts("ran to its end");
    return 0;
}
