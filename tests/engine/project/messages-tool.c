/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "project/cs-build-message.h"

static void
print (const CsBuildLine *line, const CsBuildMessage *message, gpointer data)
{
  if (message != NULL)
    printf ("%c\t%s\t%u\t%u\t%s\n", "NWE"[message->severity], message->file != NULL ? message->file : "-", message->line,
            message->column, message->text);
}

/* Prints the messages of the log on standard input. */
int
main (int argc, char *argv[])
{
  CsBuildMessages *messages;
  char bytes[1000];
  gssize n;

  if (argc != 3)
    return 2;
  messages = cs_build_messages_new (argv[1], argv[2], print, NULL);
  while ((n = read (0, bytes, sizeof bytes)) > 0)
    cs_build_messages_push (messages, bytes, (gsize) n, FALSE);
  cs_build_messages_end (messages);
  cs_build_messages_free (messages);
  return 0;
}
