#ifndef WORDS_H
#define WORDS_H

int words_split (const char *text, const char **words, int most);
int words_count (const char *text);

#endif
