#ifndef FRAME_H
#define FRAME_H

#ifdef __cplusplus
extern "C" {
#endif

struct frame
{
  unsigned id;
  unsigned length;
};

static inline unsigned
frame_size (const struct frame *frame)
{
  return frame->length + (unsigned) sizeof *frame;
}

unsigned frame_fill (struct frame *frame, unsigned id);
unsigned frame_check (const struct frame *frame);
unsigned queue_push (const struct frame *frame);
unsigned queue_drain (void);
unsigned sum_step (unsigned sum, unsigned value);
unsigned sum_all (const unsigned *values, unsigned n);

#ifdef __cplusplus
}
#endif

#endif
