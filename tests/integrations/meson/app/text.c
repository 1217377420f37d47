#include "text.h"

const char *
text_get (int index)
{
  static const char *const texts[] = { "one", "one and two", "  a b c d ", "" };

  return texts[index % 4];
}
