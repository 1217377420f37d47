/* `gone FOLDER`: removes the trace folder while it runs. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;

__attribute__((noinline)) void step(void)
{
    sink++;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
    char command[4096];
    (void)argc;
    for (int i = 0; i < 5000; i++)
        step();
    snprintf(command, sizeof command, "rm -rf '%s'", argv[1]);
    if (system(command) != 0)
        return 1;
    for (int i = 0; i < 50000; i++)
        step();
    return 0;
}
