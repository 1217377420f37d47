/* SPDX-License-Identifier: MIT */
/* How long a program takes from its start until its window has something painted in it:
 *
 *   first-frame COMMAND ARGS…
 *
 * prints that in ms and the memory that the program had then (RSS, MB), and ends the program. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_MS 60000
#define LEAST_SIZE 100 /* what is smaller is no main window */

static double
now_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

/* Windows go while they are looked at. */
static int
ignore (Display *display, XErrorEvent *event)
{
  return 0;
}

/* A window that is shown without anything in it is black here, or has one colour of the screen's. */
static int
is_painted (Display *display, Window window, int width, int height)
{
  XImage *image = XGetImage (display, window, width / 2, 0, 1, (unsigned) height, AllPlanes, ZPixmap);
  int painted = 0;

  if (image == NULL)
    return 0;
  for (int y = 0; y < height && !painted; y++)
    painted = (XGetPixel (image, 0, y) & 0xffffff) != 0;
  XDestroyImage (image);
  return painted;
}

static int
has_painted_window (Display *display)
{
  Window root, parent, *children = NULL;
  unsigned n = 0;
  int painted = 0;

  if (!XQueryTree (display, DefaultRootWindow (display), &root, &parent, &children, &n))
    return 0;
  for (unsigned i = 0; i < n && !painted; i++)
    {
      XWindowAttributes attributes;

      painted = XGetWindowAttributes (display, children[i], &attributes) && attributes.map_state == IsViewable
                && attributes.class == InputOutput && attributes.width > LEAST_SIZE && attributes.height > LEAST_SIZE
                && is_painted (display, children[i], attributes.width, attributes.height);
    }
  if (children != NULL)
    XFree (children);
  return painted;
}

static double
read_rss_mb (pid_t pid)
{
  char path[64], line[256];
  double mb = 0;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/status", (int) pid);
  file = fopen (path, "r");
  if (file == NULL)
    return 0;
  while (fgets (line, sizeof line, file) != NULL)
    if (strncmp (line, "VmRSS:", 6) == 0)
      mb = atof (line + 6) / 1024;
  fclose (file);
  return mb;
}

int
main (int argc, char **argv)
{
  Display *display = XOpenDisplay (NULL);
  const struct timespec pause = { 0, 500000 };
  double start;
  int painted = 0;
  pid_t pid;

  if (argc < 2 || display == NULL)
    {
      fputs (argc < 2 ? "usage: first-frame COMMAND ARGS…\n" : "first-frame: there is no display\n", stderr);
      return 2;
    }
  XSetErrorHandler (ignore);
  start = now_ms ();
  pid = fork ();
  if (pid == 0)
    {
      execvp (argv[1], argv + 1);
      perror (argv[1]);
      _exit (127);
    }
  while (pid > 0 && now_ms () - start < MOST_MS && !(painted = has_painted_window (display))
         && waitpid (pid, NULL, WNOHANG) == 0)
    nanosleep (&pause, NULL);
  if (painted)
    printf ("%.1f %.1f\n", now_ms () - start, read_rss_mb (pid));
  if (pid > 0 && kill (pid, SIGKILL) == 0)
    waitpid (pid, NULL, 0);
  XCloseDisplay (display);
  if (!painted)
    fputs ("first-frame: no window was painted\n", stderr);
  return painted ? 0 : 1;
}
