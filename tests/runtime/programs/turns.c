/* `turns MODE ROUNDS`: loads libone.so and libtwo.so (turn.c) in turn and calls into them.
 * It has no hooks
 * itself.  Prints how often each library was loaded and unloaded and its work called, and in
 * how many rounds it lay where the one before had lain. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern unsigned long loads[2], unloads[2];
extern void (*at_unload)(int number);

static const char *const files[2] = {"./libone.so", "./libtwo.so"};
static const char *const works[2] = {"one_work", "two_work"};
static unsigned long worked[2], same;
static int rounds;
static pthread_barrier_t barrier;
static void (*given)(int);
static void *other;

static void *load(int number, int flags, void (**work)(int))
{
    void *handle = dlopen(files[number], RTLD_NOW | flags);
    if (!handle) {
        printf("%s\n", dlerror());
        exit(1);
    }
    *work = (void (*)(int))dlsym(handle, works[number]);
    return handle;
}

static void use(void (*work)(int), int number)
{
    work(3 + number);
    __atomic_fetch_add(&worked[number], 1, __ATOMIC_RELAXED);
}

static void in_turn(void)
{
    void *before = NULL;
    for (int i = 0; i < rounds; i++) {
        void (*work)(int);
        void *handle = load(i % 2, 0, &work);
        same += (void *)work == before;
        before = (void *)work;
        use(work, i % 2);
        dlclose(handle);
    }
}

static void *caller(void *data)
{
    for (int i = 0; i < rounds; i++) {
        pthread_barrier_wait(&barrier);
        use(given, i % 2);
        pthread_barrier_wait(&barrier);
    }
    return data;
}

/* One thread loads and unloads, another calls. */
static void two_threads(void)
{
    pthread_t thread;
    void *before = NULL;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, caller, NULL);
    for (int i = 0; i < rounds; i++) {
        void *handle = load(i % 2, 0, &given);
        same += (void *)given == before;
        before = (void *)given;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        dlclose(handle);
    }
    pthread_join(thread, NULL);
}

static void *storms(void *data)
{
    for (int i = 0; i < rounds; i++) {
        void (*work)(int);
        int number = (i + (data != NULL)) % 2;
        void *handle = load(number, 0, &work);
        use(work, number);
        dlclose(handle);
    }
    return data;
}

static void storm(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, storms, i % 2 ? threads : NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* The library stays when the first of its two handles is closed. */
static void twice(void)
{
    for (int i = 0; i < rounds; i++) {
        void (*work)(int);
        void *first = load(i % 2, 0, &work), *second = load(i % 2, 0, &work);
        dlclose(first);
        use(work, i % 2);
        dlclose(second);
    }
}

/* The first library stays for ever. */
static void stays(void)
{
    void (*works_on)(int), (*work)(int);
    void *first = load(0, RTLD_NODELETE, &works_on);
    dlclose(first);
    for (int i = 0; i < rounds; i++) {
        void *second = load(1, 0, &work);
        use(work, 1);
        dlclose(second);
        use(works_on, 0);
    }
}

static void close_other(int number)
{
    if (number == 0)
        dlclose(other);
}

/* The destructor of the first closes the second. */
static void nested(void)
{
    at_unload = close_other;
    for (int i = 0; i < rounds; i++) {
        void (*work)(int), (*work_of_other)(int);
        void *first = load(0, 0, &work);
        other = load(1, 0, &work_of_other);
        use(work, 0);
        use(work_of_other, 1);
        dlclose(first);
    }
}

static void *sleeps(void *data)
{
    pause();
    return data;
}

static void tell(void)
{
    printf("pid %d loads %lu %lu unloads %lu %lu worked %lu %lu same %lu\n", (int)getpid(), loads[0],
           loads[1], unloads[0], unloads[1], worked[0], worked[1], same);
    fflush(stdout);
}

/* A child does it, of a process that has one of the libraries loaded and has threads or not. */
static void child(int threaded)
{
    pthread_t thread;
    void (*work)(int);
    void *handle;
    if (threaded)
        pthread_create(&thread, NULL, sleeps, NULL);
    handle = load(1, 0, &work);
    use(work, 1);
    pid_t pid = fork();
    if (pid) {
        waitpid(pid, NULL, 0);
        dlclose(handle);
        return;
    }
    memset(loads, 0, sizeof loads);
    memset(worked, 0, sizeof worked);
    dlclose(handle);
    in_turn();
    tell();
    exit(0);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 2 ? argv[1] : "";
    rounds = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(mode, "turns") == 0)
        in_turn();
    else if (strcmp(mode, "threads") == 0)
        two_threads();
    else if (strcmp(mode, "storm") == 0)
        storm();
    else if (strcmp(mode, "twice") == 0)
        twice();
    else if (strcmp(mode, "stays") == 0)
        stays();
    else if (strcmp(mode, "nested") == 0)
        nested();
    else if (strcmp(mode, "fork") == 0)
        child(0);
    else if (strcmp(mode, "threadfork") == 0)
        child(1);
    tell();
    return 0;
}
