/* Loads a library whose constructor waits for a thread that jumps for the first time. */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;

void *jump(void *data);

__attribute__((visibility("default"))) void *jump(void *data)
{
    if (!setjmp(env))
        longjmp(env, 1);
    return data;
}

#ifdef LIBRARY
__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, jump, NULL);
    pthread_join(thread, NULL);
}
#else
int main(int argc, char **argv)
{
    if (argc != 2 || !dlopen(argv[1], RTLD_NOW)) {
        puts(dlerror());
        return 1;
    }
    return 0;
}
#endif
