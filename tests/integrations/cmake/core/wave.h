#ifndef WAVE_H
#define WAVE_H

#ifdef __cplusplus
extern "C" {
#endif

int wave_sample (int phase);
int wave_mix (int a, int b);
int table_get (int index);
int filter_run (int value);

static inline int
wave_clip (int value)
{
  return value > 100 ? 100 : value;
}

#ifdef __cplusplus
}
#endif

#endif
