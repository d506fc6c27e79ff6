/*
 * What a stream of allocations costs at least: the processor time, in seconds, of the allocator's
 * calls alone, made through the arenas that a replay uses, so that the hooks do the same work.
 *
 *   allocator OPERATIONS cached|uncached
 *
 * The file holds operations with dense slots for blocks, as `struct operation` has them. Prints the
 * seconds, and the bytes of the arena's pages at the end, by which one sees that both did the same.
 */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "CJemalloc.h"

enum kind { ALLOC, REALLOC, FREE };

struct operation {
  int64_t bytes;
  uint32_t slot;
  uint16_t alignment;
  uint16_t kind;
};

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void run(
    const struct jettison_arena *arena, const struct operation *operations, size_t count,
    uintptr_t *blocks) {
  for (const struct operation *next = operations; next < operations + count; next++) {
    uintptr_t *block = &blocks[next->slot];
    switch (next->kind) {
      case ALLOC: *block = jettison_allocate(arena, next->bytes, next->alignment); break;
      case FREE: jettison_free(arena, *block); break;
      default: *block = jettison_reallocate(arena, *block, next->bytes, next->alignment);
    }
  }
}

int main(int argument_count, char **arguments) {
  if (argument_count != 3) return 64;
  int file = open(arguments[1], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return 66;
  const struct operation *operations =
      mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (operations == MAP_FAILED) return 66;
  size_t count = (size_t)status.st_size / sizeof *operations;
  uint32_t slots = 0;
  for (size_t place = 0; place < count; place++) {
    if (operations[place].slot >= slots) slots = operations[place].slot + 1;
  }
  struct jettison_arena *arena;
  bool is_cached = strcmp(arguments[2], "cached") == 0;
  if (jettison_arena_create(is_cached, &arena).step != JETTISON_DONE) return 71;
  uintptr_t *blocks = calloc(slots, sizeof *blocks);
  double start = processor_seconds();
  run(arena, operations, count, blocks);
  double seconds = processor_seconds() - start;
  printf("%.9f %lld\n", seconds, (long long)arena->footprint);
  return 0;
}
