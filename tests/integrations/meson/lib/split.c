#include "words.h"

static __attribute__ ((noinline)) int
is_blank (char c)
{
  return c == ' ' || c == '\n';
}

int
words_split (const char *text, const char **words, int most)
{
  int n = 0;

  while (*text != '\0' && n < most)
    {
      while (is_blank (*text))
        text++;
      if (*text == '\0')
        break;
      words[n++] = text;
      while (*text != '\0' && !is_blank (*text))
        text++;
    }
  return n;
}
