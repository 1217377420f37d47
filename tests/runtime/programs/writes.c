/* `writes HOW FOLDER`: what can happen to the files while the program runs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void step(void)
{
    sink++;
}

__attribute__((no_instrument_function)) static void times(int n)
{
    for (int i = 0; i < n; i++)
        step();
}

/* Removes or replaces every segment. */
__attribute__((no_instrument_function)) static void meddle(const char *folder, int replace)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        if (!strstr(entry->d_name, ".bin"))
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
        if (replace) {
            int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
            if (write(fd, "mine", 4) != 4)
                abort();
            close(fd);
        }
    }
    closedir(dir);
}

/* Calls while no descriptor is free. */
__attribute__((no_instrument_function)) static void exhaust(void)
{
    struct rlimit limit = {64, 64};
    int fds[64], count = 0;
    setrlimit(RLIMIT_NOFILE, &limit);
    while (count < 64 && (fds[count] = open("/dev/null", O_RDONLY)) >= 0)
        count++;
    if (errno == EMFILE)
        printf("took all\n");
    times(20000);
    while (count > 0)
        close(fds[--count]);
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
    const char *how = argv[1];
    (void)argc;
    printf("pid %d\n", (int)getpid());
    times(5000);
    if (strcmp(how, "remove") == 0)
        meddle(argv[2], 0);
    else if (strcmp(how, "replace") == 0)
        meddle(argv[2], 1);
    else if (strcmp(how, "descriptors") == 0)
        exhaust();
    errno = 77; /* hooks keep it, flushing or not */
    times(50000);
    if (errno != 77)
        return 1;
    printf("ran to its end\n");
    fflush(stdout);
    return 0;
}
