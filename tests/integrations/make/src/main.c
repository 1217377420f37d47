#include <stdio.h>

#include "frame.h"

int
main (void)
{
  unsigned sum = 0;

  for (unsigned id = 0; id < 10; id++)
    {
      struct frame frame;

      frame_fill (&frame, id);
      sum = sum_step (sum, frame_check (&frame));
      sum = sum_step (sum, queue_push (&frame));
    }
  sum = sum_step (sum, queue_drain ());
  printf ("%u\n", sum);
  return 0;
}
