/* What becomes of files when a signal ends the process.
 *
 * A guarded file is one that is still written, under a name of its own. If a signal ends the
 * process, guarded files are removed first. A mapped file that another program cuts short ends the
 * process with a sentence that names it.
 *
 * Every function may be called from any thread. Without `file_guard_install` nothing is removed,
 * and the rest works all the same. */
#ifndef JETTISON_FILE_GUARD_H
#define JETTISON_FILE_GUARD_H

#include <stddef.h>
#include <sys/types.h>

/* Answers SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and the signals of a crash: removes what is
 * guarded, and directories that it made and that are empty, and lets the signal end the process as
 * it would have; `exit` removes the same. Signals that are ignored stay so. Writing to a closed
 * pipe, or beyond the size that a file may have, becomes an error instead of a signal. */
void file_guard_install(void);

/* Creates a file that must not exist yet, for writing, and guards it; links are not followed.
 * The result is a ticket for it, or -1 with `errno`; `descriptor` becomes that of the open file. */
int file_guard_create(const char *path, mode_t mode, int *descriptor);

/* Makes a directory, as `mkdir` does; if it is empty when the process ends, it is removed. */
int file_guard_make_directory(const char *path, mode_t mode);

/* Gives a guarded file its final name and guards it no more; 0, or -1 with `errno`, and then it is
 * still guarded. */
int file_guard_publish(int ticket, const char *final);

/* Removes a guarded file. */
void file_guard_remove(int ticket);

/* Between these two calls signals wait, so that several files get their names together. */
void file_guard_hold(void);
void file_guard_release(void);

/* Remembers what a range of memory was mapped from; the name is shown as it is. The result is a
 * ticket, or -1 where there is no room to remember it. */
int file_guard_map(const void *start, size_t size, const char *name);
void file_guard_unmap(int ticket);

#endif
