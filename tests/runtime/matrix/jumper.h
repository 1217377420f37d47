#include <setjmp.h>

void jumper_call(void (*function)(void), int depth);
void jumper_jump(jmp_buf landing);
