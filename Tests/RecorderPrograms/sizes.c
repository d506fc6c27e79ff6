/*
 * Takes blocks of sizes that jemalloc does not round, keeps them, and prints what jemalloc's own
 * statistics say before and after. To be linked with jemalloc.
 */
#include <jemalloc/jemalloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Caches of threads count as allocated what nobody has asked for. */
const char *malloc_conf = "tcache:false";

static size_t allocated(void) {
  uint64_t epoch = 1;
  size_t bytes = 0, size = sizeof bytes;
  mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
  mallctl("stats.allocated", &bytes, &size, NULL, 0);
  return bytes;
}

int main(void) {
  static void *kept[3000];
  size_t sizes[] = {16, 48, 128, 160, 512, 1024, 2560, 4096, 16384, 32768, 131072};
  size_t before = allocated();
  size_t requested = 0;
  for (int k = 0; k < 3000; k++) {
    size_t size = sizes[k * 7 % 11];
    switch (k % 4) {
    case 0: kept[k] = calloc(size / 8, 8); break;
    case 1: kept[k] = realloc(malloc(size / 2), size); break;
    case 2: kept[k] = aligned_alloc(16, size); break;
    default: kept[k] = malloc(size);
    }
    requested += size;
  }
  size_t after = allocated();
  fprintf(stderr, "requested %zu\nallocated %zu\n", requested, after - before);
  fprintf(stderr, "total %zu\n", after);
  return kept[2999] == NULL;
}
