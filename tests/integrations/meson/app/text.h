#ifndef TEXT_H
#define TEXT_H

const char *text_get (int index);

#endif
