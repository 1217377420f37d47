/* Stacks that a program makes, leaves and gives back by itself.
 * stacks MODE */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define UNHOOKED __attribute__((no_instrument_function, noinline))

enum { SIZE = 1 << 20 };

static volatile int sink;

APART void leaf(int n) { sink = n; }

UNHOOKED static void *new_stack(size_t size)
{
    void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        abort();
    return stack;
}

UNHOOKED static void make(ucontext_t *context, void *stack, size_t size, ucontext_t *next,
                          void (*function)(void))
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = size;
    context->uc_link = next;
    makecontext(context, function, 0);
}

/* --- coroutines: begun by swapcontext() from a local variable, switched by siglongjmp() ---- */

struct coroutine {
    sigjmp_buf inside, outside, *maker;
    void (*function)(int);
    int argument;
};

static struct coroutine *current, *made;

UNHOOKED static void begin(void)
{
    struct coroutine *self = made;
    if (!sigsetjmp(self->inside, 0))
        siglongjmp(*self->maker, 1);
    self->function(self->argument);
    siglongjmp(self->outside, 1);
}

UNHOOKED static struct coroutine *coroutine(void (*function)(int), int argument)
{
    struct coroutine *self = calloc(1, sizeof *self);
    ucontext_t old, new;
    sigjmp_buf maker;
    if (!self)
        abort();
    self->function = function;
    self->argument = argument;
    self->maker = &maker;
    made = self;
    make(&new, new_stack(SIZE), SIZE, &old, begin);
    if (!sigsetjmp(maker, 0))
        swapcontext(&old, &new);
    return self;
}

UNHOOKED static void resume(struct coroutine *self)
{
    current = self;
    if (!sigsetjmp(self->outside, 0))
        siglongjmp(self->inside, 1);
}

UNHOOKED static void yield(void)
{
    struct coroutine *self = current;
    if (!sigsetjmp(self->inside, 0))
        siglongjmp(self->outside, 1);
}

APART void one(int n)
{
    for (int i = 0; i < n; i++) {
        leaf(i);
        yield();
    }
}

APART void two(int n)
{
    for (int i = 0; i < n; i++) {
        leaf(i);
        yield();
    }
    sink = n;
}

APART void coroutines(int n)
{
    struct coroutine *a = coroutine(one, n), *b = coroutine(two, n);
    for (int i = 0; i <= n; i++) {
        resume(a);
        leaf(i);
        resume(b);
    }
}

/* --- moving: one of them runs in another thread, while this one makes more --------------- */

static volatile int moving_began;

APART void down(int n)
{
    if (n)
        down(n - 1);
    sink = n;
}

APART void long_work(int n)
{
    moving_began = 1;
    for (int i = 0; i < n; i++)
        down(8);
}

UNHOOKED static void *other_thread(void *data)
{
    resume(data);
    return NULL;
}

UNHOOKED static void moving(int n)
{
    pthread_t thread;
    struct coroutine *self = coroutine(long_work, n);
    pthread_create(&thread, NULL, other_thread, self);
    while (!moving_began)
        usleep(100);
    for (int i = 0; i < 20; i++)
        coroutine(down, 5000);
    pthread_join(thread, NULL);
}

/* --- remade: a ucontext_t begins anew on another stack, the first one being left where it is - */

static ucontext_t own, context;

APART void first(void)
{
    leaf(1);
    swapcontext(&context, &own);
    leaf(2);
}

APART void second(void)
{
    leaf(3);
    sink = 1;
}

APART void remade(void)
{
    char *stacks = new_stack((size_t)2 * SIZE);
    make(&context, stacks + SIZE, SIZE, &own, first);
    swapcontext(&own, &context);
    make(&context, stacks, SIZE, &own, second);
    swapcontext(&own, &context);
    leaf(4);
}

/* --- set: back to a getcontext() by setcontext() ----------------------------------------- */

static volatile int stage;

APART void third(void)
{
    leaf(5);
    setcontext(&own);
}

APART void set(void)
{
    stage = 0;
    getcontext(&own);
    if (stage == 0) {
        stage = 1;
        make(&context, new_stack(SIZE), SIZE, NULL, third);
        setcontext(&context);
    }
    leaf(6);
}

/* --- given: a stack is given back, and a thread's comes to lie there ---------------------- */

static __thread jmp_buf env;

APART void jumper(void)
{
    leaf(7);
    longjmp(env, 1);
}

APART void work(void)
{
    if (!setjmp(env))
        jumper();
    leaf(8);
    sink = 2;
}

APART void *thread_of(void *data)
{
    work();
    leaf(9);
    return data;
}

UNHOOKED static void given(void)
{
    size_t size = (size_t)8 << 20;
    void *stack = new_stack(size);
    pthread_t thread;
    make(&context, stack, size, &own, second);
    swapcontext(&own, &context);
    munmap(stack, size);
    pthread_create(&thread, NULL, thread_of, NULL);
    pthread_join(thread, NULL);
}

/* --- vfork: another stack goes on before the parent's next call ---------------------------- */

UNHOOKED static void back(void) { swapcontext(&context, &own); }

APART void inner(void)
{
    back();
    leaf(10);
    sink = 3;
}

APART void outer(void)
{
    inner();
    sink = 4;
}

UNHOOKED static void fork_and_switch(void)
{
    pid_t child = vfork();
    if (child == 0)
        _exit(0);
    swapcontext(&own, &context);
    waitpid(child, NULL, 0);
}

APART void drive(void)
{
    make(&context, new_stack(SIZE), SIZE, &own, outer);
    swapcontext(&own, &context);
    leaf(11);
    fork_and_switch();
    leaf(12);
}

/* --- abandoned: stacks are made where others lie that were left in a call ------------------- */

APART void never_back(void)
{
    leaf(13);
    swapcontext(&context, &own);
    leaf(14);
}

APART void abandoned(int n)
{
    char *memory = new_stack((size_t)2 * SIZE);
    for (int i = 0; i < n; i++) {
        make(&context, memory + (i % 2) * (SIZE / 2), SIZE, &own, never_back);
        swapcontext(&own, &context);
    }
}

/* --- switched: recording is off for a while, with a call open on a stack that was left ------- */

APART void switched(void)
{
    make(&context, new_stack(SIZE), SIZE, &own, first);
    swapcontext(&own, &context);
    raise(SIGUSR2);
    usleep(100000);
    raise(SIGUSR2);
    leaf(15);
    swapcontext(&own, &context);
    leaf(16);
}

UNHOOKED int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "coroutines") == 0)
        coroutines(20);
    else if (strcmp(mode, "moving") == 0)
        moving(20000);
    else if (strcmp(mode, "remade") == 0)
        remade();
    else if (strcmp(mode, "set") == 0)
        set();
    else if (strcmp(mode, "given") == 0)
        given();
    else if (strcmp(mode, "abandoned") == 0)
        abandoned(5);
    else if (strcmp(mode, "switched") == 0)
        switched();
    else if (strcmp(mode, "vfork") == 0)
        drive();
    else
        return 2;
    return 0;
}
