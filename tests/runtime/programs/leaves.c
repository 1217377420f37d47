/* A thread that calls pthread_exit() deep in its calls, and a destructor behind that. */
#include <pthread.h>

static pthread_key_t key;
static volatile int sink;

#define UNHOOKED __attribute__((no_instrument_function))

__attribute__((noinline)) static void last(void) { sink = 1; }

__attribute__((noinline)) static void inner(void)
{
    last();
    pthread_exit(NULL);
}

static void *work(void *data)
{
    pthread_setspecific(key, &key);
    inner();
    return data;
}

static void gone(void *data) { (void)data; }

UNHOOKED int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, gone);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
