/* Removes what it has recorded, a few times: `removes FOLDER TIMES`. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_HOOK __attribute__((no_instrument_function))
static volatile unsigned sink;

__attribute__((noinline)) void step(void)
{
    sink++;
}

NO_HOOK static void remove_segments(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *file;
    char path[4096];
    while ((file = readdir(dir))) {
        size_t length = strlen(file->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (length > 4 && strcmp(file->d_name + length - 4, ".bin") == 0)
            remove(path);
    }
    closedir(dir);
}

NO_HOOK int main(int argc, char **argv)
{
    for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; i--) {
        for (int k = 0; k < 3000; k++)
            step();
        remove_segments(argv[1]);
    }
    for (int k = 0; k < 100000; k++)
        step();
    return 0;
}
