#include "words.h"

int
words_count (const char *text)
{
  const char *words[16];

  return words_split (text, words, 16);
}
