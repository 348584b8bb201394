#ifndef NOTES_H
#define NOTES_H

/* How many lines a file has; -1 where it cannot be read. */
int notes_count(const char *path);

/* Whether a file has a first line. */
int notes_any(const char *path);

#endif
