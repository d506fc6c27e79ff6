/* Threads, as the system grants them. */
#ifndef JETTISON_THREADS_H
#define JETTISON_THREADS_H

/* How many of so many threads can live at a time beside those that do: they are made, and end. */
int thread_room(int wanted);

/* Runs a function in a thread of its own, which is not waited for; 0, or why there is none. */
int thread_start(void (*body)(void *), void *context);

/* Whether memory is so limited that the stacks of threads take what the work needs. */
int thread_stacks_are_dear(void);

#endif
