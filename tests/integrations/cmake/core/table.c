#include "wave.h"

int
table_get (int index)
{
  static const int table[8] = { 0, 7, 10, 7, 0, -7, -10, -7 };

  return table[index];
}
