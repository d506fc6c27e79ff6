#ifndef JETTISON_SPACE_H
#define JETTISON_SPACE_H

#include "CJemalloc.h"

/* Maps a space of `jettison_space_bytes` without access rights; an errno. */
int jettison_space_open(struct jettison_space *space, size_t page_bytes);

/* Unmaps the space. */
void jettison_space_close(struct jettison_space *space);

/*
 * Takes the lowest `count` pages in a row that begin at a multiple of `alignment` pages; false if
 * there are none. Complexity: O(log n) for n free ranges.
 */
bool jettison_space_take(
    struct jettison_space *space, size_t count, size_t alignment, uint32_t *start);

/* Takes pages back. Complexity: O(log n) for n free ranges. */
void jettison_space_return(struct jettison_space *space, uint32_t start, uint32_t count);

#endif
