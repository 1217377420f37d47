/* The tree that truth.h describes; built without hooks. */
#include "truth.h"

#include <sched.h>

enum { NODES = 1024, NAME = 48 };

struct node {
    char name[NAME]; /* a copy: a library's goes with it */
    int parent, child, next;
    unsigned long calls, returns, unwound;
};

__thread int truth_at;

static struct node nodes[NODES]; /* the first is the root */
static int used, lock, life, written;
static unsigned long unmatched;

static void take_lock(void)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void give_lock(void)
{
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

struct truth_call truth_enter(const char *name)
{
    take_lock();
    int node = nodes[truth_at].child;
    while (node && strcmp(nodes[node].name, name) != 0)
        node = nodes[node].next;
    if (!node) {
        if (used + 1 == NODES || strlen(name) >= NAME)
            abort();
        node = ++used;
        strcpy(nodes[node].name, name);
        nodes[node].parent = truth_at;
        nodes[node].next = nodes[truth_at].child;
        nodes[truth_at].child = node;
    }
    nodes[node].calls++;
    truth_at = node;
    struct truth_call call = {node, life};
    give_lock();
    return call;
}

void truth_end(struct truth_call call, int was_unwound)
{
    take_lock();
    if (call.life != life) {
        unmatched++;
    } else {
        struct node *node = &nodes[call.node];
        if (was_unwound)
            node->unwound++;
        else
            node->returns++;
        truth_at = node->parent;
    }
    give_lock();
}

void truth_leave(struct truth_call *call)
{
    truth_end(*call, 0);
}

void truth_land(int node)
{
    truth_at = node;
}

void truth_child(void)
{
    memset(nodes, 0, sizeof nodes);
    used = written = 0;
    unmatched = 0;
    life++;
    truth_at = 0;
}

static void write_path(FILE *file, int node)
{
    if (nodes[node].parent) {
        write_path(file, nodes[node].parent);
        fputc(';', file);
    }
    fputs(nodes[node].name, file);
}

void truth_write(void)
{
    const char *name = getenv("TRUTH_FILE");
    char path[4096];
    if (!name || written || used + unmatched == 0)
        return;
    written = 1;
    snprintf(path, sizeof path, "%s.%d", name, (int)getpid());
    FILE *file = fopen(path, "a");
    if (!file)
        abort();
    for (int node = 1; node <= used; node++) {
        struct node *n = &nodes[node];
        write_path(file, node);
        fprintf(file, " %lu %lu %lu\n", n->calls, n->returns, n->unwound);
    }
    fprintf(file, "unmatched %lu\n", unmatched);
    if (fclose(file) != 0)
        abort();
}

/* The last of the program's destructors. */
static __attribute__((destructor(101))) void at_end(void)
{
    truth_write();
}
