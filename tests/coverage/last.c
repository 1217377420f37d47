/* SPDX-License-Identifier: MIT */
/*
 * Linked to a runtime that counts its lines: what runs behind libgcov's own last write, as the
 * runtime's last flush does, is counted too.
 */
#include <stdlib.h>

void __gcov_dump(void);
void __gcov_reset(void);

/* Before the runtime gives its last flush to atexit(): handlers run in the other order. */
__attribute__((destructor(102))) static void begin(void)
{
    atexit(__gcov_dump);
}

/* Behind libgcov's write, whose counts are in the file. */
__attribute__((destructor(99))) static void again(void)
{
    __gcov_reset();
}
