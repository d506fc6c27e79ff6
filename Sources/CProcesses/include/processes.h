#ifndef CPROCESSES_H
#define CPROCESSES_H

/*
 * What Linux tells about processes through calls that take a variable number of arguments, which
 * Swift cannot make. Elsewhere every function fails.
 */

#include <stdbool.h>

/* Makes processes below this one its children when their parents end; false: not possible. */
bool jettison_adopt_orphans(void);

/* A descriptor that stands for a process; negative: there is none, or no such descriptors. */
int jettison_process_open(int process);

/*
 * How the process behind a descriptor ended, as `waitpid` says it, once its parent has taken note
 * of it; false: not known (Linux before 6.15).
 */
bool jettison_process_exit(int descriptor, int *status);

#endif
