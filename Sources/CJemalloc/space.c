/*
 * The free pages of a simulated address space, as a treap of ranges ordered by address in which
 * every node knows the longest range below it. The nodes lie in a mapping of their own: this code
 * runs inside jemalloc's hooks, where calling malloc would be a detour through the allocator.
 */

#include "space.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

static const uint32_t none = 0;

static size_t space_bytes = (size_t)1 << 35;

size_t jettison_space_bytes(void) { return space_bytes; }

void jettison_set_space_bytes(size_t bytes) { space_bytes = bytes; }

/* A mapping of `bytes` at a multiple of `alignment` without access rights, or 0. */
static uintptr_t map_aligned(size_t bytes, size_t alignment) {
  size_t slack = bytes + alignment;
  void *mapping = mmap(NULL, slack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return 0;
  uintptr_t first = (uintptr_t)mapping;
  /* The highest place of all: systems map downwards, so that the next space lies right below. */
  uintptr_t base = (first + slack - bytes) & ~(uintptr_t)(alignment - 1);
  if (base > first) munmap(mapping, base - first);
  uintptr_t end = base + bytes;
  if (first + slack > end) munmap((void *)end, first + slack - end);
  return base;
}

/* Makes room for two more nodes, the most that one operation adds. */
static bool reserve(struct jettison_space *space) {
  if (space->touched + 2 <= space->capacity) return true;
  size_t bytes = (size_t)space->capacity * sizeof(struct jettison_range);
  size_t larger = bytes == 0 ? 16384 : bytes * 2;
  void *mapping =
      mmap(NULL, larger, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return false;
  if (bytes > 0) {
    memcpy(mapping, space->ranges, bytes);
    munmap(space->ranges, bytes);
  }
  space->ranges = mapping;
  space->capacity = (uint32_t)(larger / sizeof(struct jettison_range));
  return true;
}

/* The next number of a xorshift generator: the shape of the tree decides no result. */
static uint32_t next_priority(struct jettison_space *space) {
  uint32_t x = space->random;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return space->random = x;
}

static uint32_t make_node(struct jettison_space *space, uint32_t start, uint32_t count) {
  uint32_t node = space->unused;
  if (node != none) {
    space->unused = space->ranges[node].right;
  } else {
    node = space->touched++;
  }
  space->ranges[node] = (struct jettison_range){
      .start = start, .count = count, .longest = count, .priority = next_priority(space)};
  return node;
}

static void drop_node(struct jettison_space *space, uint32_t node) {
  space->ranges[node].right = space->unused;
  space->unused = node;
}

static void update(struct jettison_range *ranges, uint32_t node) {
  uint32_t longest = ranges[node].count;
  uint32_t left = ranges[ranges[node].left].longest;
  uint32_t right = ranges[ranges[node].right].longest;
  if (left > longest) longest = left;
  if (right > longest) longest = right;
  ranges[node].longest = longest;
}

/* One tree of two, all of the first at lower addresses. */
static uint32_t join(struct jettison_range *ranges, uint32_t lower, uint32_t upper) {
  if (lower == none) return upper;
  if (upper == none) return lower;
  if (ranges[lower].priority >= ranges[upper].priority) {
    ranges[lower].right = join(ranges, ranges[lower].right, upper);
    update(ranges, lower);
    return lower;
  }
  ranges[upper].left = join(ranges, lower, ranges[upper].left);
  update(ranges, upper);
  return upper;
}

/* Two trees of one: ranges that start below `start` and the others. */
static void cut(
    struct jettison_range *ranges, uint32_t root, uint32_t start, uint32_t *lower,
    uint32_t *upper) {
  if (root == none) {
    *lower = none;
    *upper = none;
    return;
  }
  if (ranges[root].start < start) {
    cut(ranges, ranges[root].right, start, &ranges[root].right, upper);
    *lower = root;
  } else {
    cut(ranges, ranges[root].left, start, lower, &ranges[root].left);
    *upper = root;
  }
  update(ranges, root);
}

/* The lowest range of at least `count` pages, or none. */
static uint32_t first_fit(const struct jettison_range *ranges, uint32_t root, uint32_t count) {
  if (ranges[root].longest < count) return none;
  uint32_t node = root;
  for (;;) {
    if (ranges[ranges[node].left].longest >= count) {
      node = ranges[node].left;
    } else if (ranges[node].count >= count) {
      return node;
    } else {
      node = ranges[node].right;
    }
  }
}

int jettison_space_open(struct jettison_space *space, size_t page_bytes) {
  memset(space, 0, sizeof *space);
  space->random = 0x9E3779B9;
  space->touched = 1;
  if (!reserve(space)) return ENOMEM;
  /* Aligned to its own size, so that no request for alignment can see where the space lies. */
  space->base = map_aligned(space_bytes, space_bytes);
  if (space->base == 0) {
    int code = errno;
    jettison_space_close(space);
    return code;
  }
  space->root = make_node(space, 0, (uint32_t)(space_bytes / page_bytes));
  return 0;
}

void jettison_space_close(struct jettison_space *space) {
  if (space->base != 0) munmap((void *)space->base, space_bytes);
  munmap(space->ranges, (size_t)space->capacity * sizeof(struct jettison_range));
  memset(space, 0, sizeof *space);
}

bool jettison_space_take(
    struct jettison_space *space, size_t count, size_t alignment, uint32_t *start) {
  /* Any range with room for the worst place of the first aligned page will do. */
  size_t room = alignment > 1 ? count + (alignment - 1) : count;
  if (room < count || room > UINT32_MAX || !reserve(space)) return false;
  struct jettison_range *ranges = space->ranges;
  uint32_t node = first_fit(ranges, space->root, (uint32_t)room);
  if (node == none) return false;

  uint32_t lower, upper;
  uint32_t first = ranges[node].start;
  uint32_t end = first + ranges[node].count;
  cut(ranges, space->root, first, &lower, &upper);
  cut(ranges, upper, end, &node, &upper);
  drop_node(space, node);

  uint32_t taken = first;
  if (alignment > 1) taken = (uint32_t)(((size_t)first + alignment - 1) & ~(alignment - 1));
  uint32_t rest = taken + (uint32_t)count;
  if (taken > first) lower = join(ranges, lower, make_node(space, first, taken - first));
  if (rest < end) upper = join(ranges, make_node(space, rest, end - rest), upper);
  space->root = join(ranges, lower, upper);
  *start = taken;
  return true;
}

void jettison_space_return(struct jettison_space *space, uint32_t start, uint32_t count) {
  /* Without memory for a node the pages are given up: the space gets smaller, nothing breaks. */
  if (!reserve(space)) return;
  struct jettison_range *ranges = space->ranges;
  uint32_t lower, upper, neighbour;
  cut(ranges, space->root, start, &lower, &upper);

  uint32_t last = lower;
  while (ranges[last].right != none) last = ranges[last].right;
  if (last != none && ranges[last].start + ranges[last].count == start) {
    start = ranges[last].start;
    count += ranges[last].count;
    cut(ranges, lower, start, &lower, &neighbour);
    drop_node(space, neighbour);
  }
  uint32_t next = upper;
  while (ranges[next].left != none) next = ranges[next].left;
  if (next != none && ranges[next].start == start + count) {
    uint32_t above = ranges[next].start + 1;
    count += ranges[next].count;
    cut(ranges, upper, above, &neighbour, &upper);
    drop_node(space, neighbour);
  }
  lower = join(ranges, lower, make_node(space, start, count));
  space->root = join(ranges, lower, upper);
}
