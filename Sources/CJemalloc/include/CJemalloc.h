#ifndef CJEMALLOC_H
#define CJEMALLOC_H

/*
 * One jemalloc arena per simulated app, over an address range of its own that no program may touch.
 *
 * The arena's extent hooks hand out ranges of a mapping without access rights (PROT_NONE): the
 * blocks of a simulated app have addresses but no memory. What the hooks have handed out and not
 * taken back is the app's footprint; with `retain:false` and without decay by the wall clock it
 * equals (active + dirty pages) * page at every instant.
 *
 * An arena may be used from one thread at a time, and from different threads over its life.
 */

#include <jemalloc/jemalloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run of free pages: a node of the treap of a space. */
struct jettison_range {
  uint32_t start;     /* First page, counted from the base of the space. */
  uint32_t count;     /* Pages. */
  uint32_t longest;   /* The largest `count` in this subtree. */
  uint32_t priority;  /* Of the treap: no child has a greater one. */
  uint32_t left;      /* Ranges at lower addresses; 0: none. */
  uint32_t right;     /* Ranges at higher addresses; 0: none. Links the unused nodes, too. */
};

/*
 * A simulated address space: which of its pages are free.
 *
 * Free ranges that touch are one range, and an allocation takes the lowest addresses that fit, so
 * that the layout depends on the pages in use alone: a space that got everything back is as new.
 */
struct jettison_space {
  uintptr_t base;                 /* A multiple of the size of the space. */
  struct jettison_range *ranges;  /* Node 0 stands for "none". */
  uint32_t capacity;              /* Nodes there is room for. */
  uint32_t touched;               /* Nodes ever used; those above are unused. */
  uint32_t unused;                /* The first returned node; 0: none. */
  uint32_t root;
  uint32_t random;                /* State of the generator of priorities. */
};

/* An extent that stands for memory known only as a total. */
struct jettison_extent {
  uintptr_t address;
  int64_t bytes;  /* What it added to the footprint. */
};

/* One arena with its hooks, its thread cache and its address space. */
struct jettison_arena {
  extent_hooks_t hooks;  /* First: jemalloc hands a pointer to it back to every hook. */
  int64_t footprint;     /* Bytes handed out by the hooks less bytes taken back. */
  int flags;             /* MALLOCX flags that name the arena and its thread cache. */
  int uncached_flags;    /* The same past the thread cache. */
  const size_t *active_pages;  /* jemalloc's live counter. */
  size_t page_bytes;
  struct jettison_space space;
  unsigned index;
  bool has_cache;
  unsigned cache;
  size_t reset_mib[3];
  size_t purge_mib[3];
  size_t flush_mib[2];
  struct jettison_extent *ballast;  /* The extents of the ballast, newest last. */
  size_t ballast_count;
  size_t ballast_capacity;
};

/* The step of an arena's creation that failed. */
enum jettison_step {
  JETTISON_DONE = 0,
  JETTISON_RECORD,
  JETTISON_SPACE,
  JETTISON_CONTROL,  /* This build of jemalloc cannot make such arenas. */
  JETTISON_ARENA,
  JETTISON_DECAY,
  JETTISON_CACHE,
  JETTISON_COUNTER,
};

/* How creating an arena ended: `code` is an errno of the step that failed. */
struct jettison_outcome {
  enum jettison_step step;
  int code;
};

/*
 * Makes an empty arena, with a thread cache of its own if asked for. Its counter of active pages is
 * not readable before `jettison_arena_attach`.
 */
struct jettison_outcome jettison_arena_create(bool with_cache, struct jettison_arena **result);

/* Finds the arena's live counter; needs one `jettison_refresh` since the arena was made. */
struct jettison_outcome jettison_arena_attach(struct jettison_arena *arena);

/* Frees the arena with everything in it. */
void jettison_arena_destroy(struct jettison_arena *arena);

/* Puts the blocks in the thread cache back into the arena. */
void jettison_arena_flush(struct jettison_arena *arena);

/* Frees every block and returns every page: the footprint is 0 afterwards. */
void jettison_arena_empty(struct jettison_arena *arena);

/* Returns the dirty pages. */
void jettison_arena_release_dirty(struct jettison_arena *arena);

/* Takes note of one more extent of ballast; false if there is no room. */
bool jettison_ballast_push(struct jettison_arena *arena, uintptr_t address, int64_t bytes);

/* Refreshes jemalloc's statistics of all arenas; an errno. Complexity: O(arenas), 7 us each. */
int jettison_refresh(void);

/* Active and dirty pages as of the last refresh; an errno. */
int jettison_arena_statistics(
    const struct jettison_arena *arena, size_t *active_pages, size_t *dirty_pages);

/*
 * Writes the value of a setting of jemalloc, such as "opt.retain", as text. `kind` is the type of
 * the setting: 'b' bool, 'u' unsigned, 'z' size_t or ssize_t, 's' string. An errno; ENOENT if this
 * build of jemalloc does not know the setting.
 */
int jettison_option(const char *name, char kind, char *text, size_t capacity);

/*
 * Bytes of simulated address space of each arena: 32 GiB, so that the 47 bits of a process have
 * room for about as many arenas as jemalloc can make.
 */
size_t jettison_space_bytes(void);

/*
 * Gives each arena less, a power of two: for tools that leave a process less room, such as valgrind.
 * Before the first arena, and on one thread.
 */
void jettison_set_space_bytes(size_t bytes);

/* The size of an arena page in bytes. */
size_t jettison_page_bytes(void);

/* The flag for an alignment, of which the largest power of two counts that is not above it. */
static inline int jettison_alignment_flag(int64_t alignment) {
  return alignment > 1 ? MALLOCX_LG_ALIGN(63 - __builtin_clzll((uint64_t)alignment)) : 0;
}

/* A block may have no bytes, but jemalloc wants one. */
static inline size_t jettison_size(int64_t bytes) {
  return (size_t)bytes + (bytes == 0);
}

/* The address of a new block, or 0. */
static inline uintptr_t jettison_allocate(
    const struct jettison_arena *arena, int64_t bytes, int64_t alignment) {
  return (uintptr_t)mallocx(
      jettison_size(bytes), arena->flags | jettison_alignment_flag(alignment));
}

/* Frees a block. */
static inline void jettison_free(const struct jettison_arena *arena, uintptr_t address) {
  dallocx((void *)address, arena->flags);
}

/*
 * The address of the block with its new size, or 0, which leaves the old block as it was. Stays in
 * place when jemalloc's own realloc would; that one cannot be used, since it copies. Asked for an
 * alignment, jemalloc would also look whether the old address has it, by chance: it places large
 * blocks at random inside a page. Here only the size that the alignment leads to decides.
 */
static inline uintptr_t jettison_reallocate(
    const struct jettison_arena *arena, uintptr_t address, int64_t bytes, int64_t alignment) {
  size_t size = jettison_size(bytes);
  int flags = arena->flags | jettison_alignment_flag(alignment);
  size_t usable = nallocx(size, flags);
  if (usable != 0 && xallocx((void *)address, usable, 0, arena->flags) == usable) return address;
  uintptr_t moved = (uintptr_t)mallocx(size, flags);
  if (moved != 0) dallocx((void *)address, arena->flags);
  return moved;
}

/* A block that neither comes from the thread cache nor goes there. */
static inline uintptr_t jettison_allocate_uncached(
    const struct jettison_arena *arena, int64_t bytes) {
  return (uintptr_t)mallocx(jettison_size(bytes), arena->uncached_flags);
}

/* Frees a block past the thread cache. */
static inline void jettison_free_uncached(
    const struct jettison_arena *arena, uintptr_t address) {
  dallocx((void *)address, arena->uncached_flags);
}

/* Bytes of active pages, now. */
static inline int64_t jettison_active_bytes(const struct jettison_arena *arena) {
  return (int64_t)(*(const volatile size_t *)arena->active_pages * arena->page_bytes);
}

#endif
