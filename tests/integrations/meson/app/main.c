#include <stdio.h>

#include "text.h"
#include "words.h"

int
main (void)
{
  int sum = 0;

  for (int i = 0; i < 12; i++)
    sum += words_count (text_get (i));
  printf ("%d\n", sum);
  return 0;
}
