#include "CJemalloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space.h"

/*
 * Read by jemalloc when it starts. `retain:false`: pages given back really go back to the hooks, so
 * that what they have handed out is the footprint. `thp:never`: the metadata of an arena stays as
 * small as it is.
 */
const char *malloc_conf = "retain:false,thp:never";

/* The argument of "experimental.arenas_create_ext". */
struct arena_config {
  extent_hooks_t *hooks;
  bool metadata_use_hooks;
};

static void *hook_alloc(
    extent_hooks_t *hooks, void *address, size_t size, size_t alignment, bool *zero, bool *commit,
    unsigned index) {
  (void)index;
  /* Whether the pages behind a block are free is chance on a real system; here they never are. */
  if (address != NULL) return NULL;
  struct jettison_arena *arena = (struct jettison_arena *)hooks;
  size_t page = arena->page_bytes;
  uint32_t start;
  if (!jettison_space_take(&arena->space, size / page, alignment / page, &start)) return NULL;
  arena->footprint += (int64_t)size;
  *zero = true;
  *commit = true;
  return (void *)(arena->space.base + (size_t)start * page);
}

static bool hook_dalloc(
    extent_hooks_t *hooks, void *address, size_t size, bool committed, unsigned index) {
  (void)committed;
  (void)index;
  struct jettison_arena *arena = (struct jettison_arena *)hooks;
  size_t page = arena->page_bytes;
  size_t start = ((uintptr_t)address - arena->space.base) / page;
  jettison_space_return(&arena->space, (uint32_t)start, (uint32_t)(size / page));
  arena->footprint -= (int64_t)size;
  return false;
}

static bool hook_split(
    extent_hooks_t *hooks, void *address, size_t size, size_t left, size_t right, bool committed,
    unsigned index) {
  (void)hooks, (void)address, (void)size, (void)left, (void)right, (void)committed, (void)index;
  return false;
}

static bool hook_merge(
    extent_hooks_t *hooks, void *left, size_t left_size, void *right, size_t right_size,
    bool committed, unsigned index) {
  (void)hooks, (void)left, (void)left_size, (void)right, (void)right_size, (void)committed;
  (void)index;
  return false;
}

static int write_decay(unsigned index, const char *which, ssize_t milliseconds) {
  char name[64];
  snprintf(name, sizeof name, "arena.%u.%s_decay_ms", index, which);
  return mallctl(name, NULL, NULL, &milliseconds, sizeof milliseconds);
}

static int find_arena_control(unsigned index, const char *which, size_t mib[3]) {
  char name[64];
  size_t length = 3;
  snprintf(name, sizeof name, "arena.%u.%s", index, which);
  return mallctlnametomib(name, mib, &length);
}

/* Makes the arena itself over a space that is open. */
static int create_arena(struct jettison_arena *arena) {
  struct arena_config config = {.hooks = &arena->hooks, .metadata_use_hooks = false};
  size_t length = sizeof arena->index;
  int code = mallctl(
      "experimental.arenas_create_ext", &arena->index, &length, &config, sizeof config);
  if (code != 0) return code;
  arena->uncached_flags = MALLOCX_ARENA(arena->index) | MALLOCX_TCACHE_NONE;
  arena->flags = arena->uncached_flags;
  code = find_arena_control(arena->index, "reset", arena->reset_mib);
  if (code == 0) code = find_arena_control(arena->index, "purge", arena->purge_mib);
  return code;
}

/* Decay by the wall clock would make runs differ: the simulator returns pages in its own time. */
static int stop_decay(const struct jettison_arena *arena) {
  int code = write_decay(arena->index, "dirty", -1);
  return code != 0 ? code : write_decay(arena->index, "muzzy", 0);
}

static int create_cache(struct jettison_arena *arena) {
  size_t length = sizeof arena->cache;
  int code = mallctl("tcache.create", &arena->cache, &length, NULL, 0);
  if (code != 0) return code;
  arena->has_cache = true;
  arena->flags = MALLOCX_ARENA(arena->index) | MALLOCX_TCACHE(arena->cache);
  length = 2;
  return mallctlnametomib("tcache.flush", arena->flush_mib, &length);
}

struct jettison_outcome jettison_arena_create(bool with_cache, struct jettison_arena **result) {
  *result = NULL;
  struct jettison_arena *arena = calloc(1, sizeof *arena);
  if (arena == NULL) return (struct jettison_outcome){JETTISON_RECORD, ENOMEM};
  arena->hooks = (extent_hooks_t){
      .alloc = hook_alloc, .dalloc = hook_dalloc, .split = hook_split, .merge = hook_merge};
  arena->page_bytes = jettison_page_bytes();

  int code = jettison_space_open(&arena->space, arena->page_bytes);
  if (code != 0) {
    free(arena);
    return (struct jettison_outcome){JETTISON_SPACE, code};
  }
  code = create_arena(arena);
  if (code != 0) {
    jettison_space_close(&arena->space);
    free(arena);
    return (struct jettison_outcome){code == ENOENT ? JETTISON_CONTROL : JETTISON_ARENA, code};
  }
  enum jettison_step step = JETTISON_DECAY;
  code = stop_decay(arena);
  if (code == 0 && with_cache) {
    step = JETTISON_CACHE;
    code = create_cache(arena);
  }
  if (code != 0) {
    jettison_arena_destroy(arena);
    return (struct jettison_outcome){step, code};
  }
  *result = arena;
  return (struct jettison_outcome){JETTISON_DONE, 0};
}

struct jettison_outcome jettison_arena_attach(struct jettison_arena *arena) {
  char name[64];
  size_t *counter = NULL;
  size_t length = sizeof counter;
  snprintf(name, sizeof name, "experimental.arenas.%u.pactivep", arena->index);
  int code = mallctl(name, &counter, &length, NULL, 0);
  if (code == 0 && counter == NULL) code = ENOENT;
  if (code != 0) return (struct jettison_outcome){JETTISON_COUNTER, code};
  arena->active_pages = counter;
  return (struct jettison_outcome){JETTISON_DONE, 0};
}

void jettison_arena_destroy(struct jettison_arena *arena) {
  char name[64];
  /* Blocks in the cache belong to the arena: they must be back before it goes. */
  if (arena->has_cache) {
    mallctl("tcache.destroy", NULL, NULL, &arena->cache, sizeof arena->cache);
  }
  snprintf(name, sizeof name, "arena.%u.destroy", arena->index);
  /* An arena that would not go keeps its hooks, so its record and its space must stay. */
  if (mallctl(name, NULL, NULL, NULL, 0) != 0) return;
  jettison_space_close(&arena->space);
  free(arena->ballast);
  free(arena);
}

void jettison_arena_flush(struct jettison_arena *arena) {
  if (!arena->has_cache) return;
  mallctlbymib(arena->flush_mib, 2, NULL, NULL, &arena->cache, sizeof arena->cache);
}

void jettison_arena_empty(struct jettison_arena *arena) {
  jettison_arena_flush(arena);
  mallctlbymib(arena->reset_mib, 3, NULL, NULL, NULL, 0);
  jettison_arena_release_dirty(arena);
  arena->ballast_count = 0;
}

void jettison_arena_release_dirty(struct jettison_arena *arena) {
  mallctlbymib(arena->purge_mib, 3, NULL, NULL, NULL, 0);
}

bool jettison_ballast_push(struct jettison_arena *arena, uintptr_t address, int64_t bytes) {
  if (arena->ballast_count == arena->ballast_capacity) {
    size_t capacity = arena->ballast_capacity == 0 ? 16 : arena->ballast_capacity * 2;
    void *larger = realloc(arena->ballast, capacity * sizeof *arena->ballast);
    if (larger == NULL) return false;
    arena->ballast = larger;
    arena->ballast_capacity = capacity;
  }
  arena->ballast[arena->ballast_count++] = (struct jettison_extent){address, bytes};
  return true;
}

int jettison_refresh(void) {
  uint64_t epoch = 1;
  size_t length = sizeof epoch;
  return mallctl("epoch", &epoch, &length, &epoch, sizeof epoch);
}

static int read_statistic(unsigned index, const char *which, size_t *value) {
  char name[64];
  size_t length = sizeof *value;
  snprintf(name, sizeof name, "stats.arenas.%u.%s", index, which);
  return mallctl(name, value, &length, NULL, 0);
}

int jettison_arena_statistics(
    const struct jettison_arena *arena, size_t *active_pages, size_t *dirty_pages) {
  int code = read_statistic(arena->index, "pactive", active_pages);
  return code != 0 ? code : read_statistic(arena->index, "pdirty", dirty_pages);
}

int jettison_option(const char *name, char kind, char *text, size_t capacity) {
  union {
    bool boolean;
    unsigned number;
    ssize_t size;
    const char *string;
  } value = {0};
  size_t length = kind == 'b'   ? sizeof value.boolean
                  : kind == 'u' ? sizeof value.number
                  : kind == 'z' ? sizeof value.size
                                : sizeof value.string;
  int code = mallctl(name, &value, &length, NULL, 0);
  if (code != 0) return code;
  switch (kind) {
    case 'b': snprintf(text, capacity, "%s", value.boolean ? "true" : "false"); break;
    case 'u': snprintf(text, capacity, "%u", value.number); break;
    case 'z': snprintf(text, capacity, "%zd", value.size); break;
    default: snprintf(text, capacity, "%s", value.string != NULL ? value.string : ""); break;
  }
  return 0;
}

size_t jettison_page_bytes(void) {
  size_t page = 0;
  size_t length = sizeof page;
  return mallctl("arenas.page", &page, &length, NULL, 0) == 0 ? page : 0;
}
