#ifndef JETTISON_RECORDER_H
#define JETTISON_RECORDER_H

/*
 * A library to be loaded before a program (LD_PRELOAD) on Linux. It writes every call of malloc,
 * calloc, realloc, memalign (and its relatives) and free into a file, in the text form that
 * Android's memory replay tools read, extended by the time of the call:
 *
 *   202: malloc 0xb4837058 20 1204551 1204551
 *   202: realloc 0xb4840a60 0xb48390a0 80 1204778 1204778
 *   202: free 0xb4827400
 *
 * Times are nanoseconds since the recording began; start and end of a call are told as one. They
 * are read every 32 calls of a thread, and at its first call after some milliseconds; a line
 * without them happens with the one before it. Lines stand in the order in which blocks were taken
 * and given back, whichever thread did it: a block's line comes after that of the block that had
 * its address before.
 *
 *   JETTISON_RECORD_FILE   Where to; `%p` stands for the number of the process, `%%` for a per cent
 *                          sign. Default: jettison.%p.alloc. A file that is there already is left
 *                          alone: the name is followed by .1, .2 and so on.
 *   JETTISON_RECORD_CLOCK  `fine`: every call has a time of its own, which costs about 30 ns each.
 *
 * A child process writes a file of its own, from its first call on, and so does a program that
 * takes the place of another (exec). What a child gives back that its parent had taken is in the
 * child's file a `free` of an unknown block. A process that is killed leaves everything that it did;
 * its file may end in zero bytes. If the file cannot be created or the disk is full, that is said
 * once on standard error, and the program goes on unrecorded.
 *
 * Not recorded: what a signal handler does while it interrupts the writing of a line, calls that
 * fail, `free` of null, and functions that allocators offer beside those of the C library. Not to
 * be used with an address sanitizer, which replaces the same functions.
 */

/* The version of the library, to be found by the dynamic linker. */
extern const char jettison_recorder_version[];

#endif
