/* How many threads can be made. */
#ifndef JETTISON_THREAD_ROOM_H
#define JETTISON_THREAD_ROOM_H

/* How many of so many threads can live at a time beside those that do: they are made, and end. */
int thread_room(int wanted);

#endif
