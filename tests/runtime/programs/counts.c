/* What the libraries of turn.c count themselves, by their number. */
unsigned long loads[2], unloads[2];
void (*at_unload)(int number);
