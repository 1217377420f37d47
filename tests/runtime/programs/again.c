/* `again IMAGES [CALLS]`: calls step() CALLS (5,000) times, then replaces itself. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) static void step(void)
{
    sink++;
}

int main(int argc, char **argv)
{
    int images = (int)strtol(argv[1], NULL, 10);
    int calls = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 5000;
    for (int i = 0; i < calls; i++)
        step();
    if (images > 0) {
        char left[16];
        snprintf(left, sizeof left, "%d", images - 1);
        execl("/proc/self/exe", argv[0], left, (char *)NULL);
        return 1;
    }
    printf("pid %d\n", (int)getpid());
    return 0;
}
