/*
 * Threads that hand blocks to each other: what one has taken another resizes or gives back, so that
 * addresses change hands all the time. Ends with all of them given back.
 *
 *   exchange THREADS OPERATIONS
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 64 };
static void *_Atomic slots[SLOTS];
static long operations;

static void *work(void *seed) {
  uint64_t state = (uintptr_t)seed + 1;
  for (long k = 0; k < operations; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    void *_Atomic *slot = &slots[state >> 33 & (SLOTS - 1)];
    size_t size = 1 + (state >> 40 & 1023);
    void *block = atomic_exchange(slot, NULL);
    switch (state >> 60) {
    case 0: case 1: case 2: case 3: case 4: case 5:
      free(block);
      block = malloc(size);
      break;
    case 6: case 7: case 8: case 9: case 10: case 11: block = realloc(block, size); break;
    case 12: free(block); block = calloc(size, 2); break;
    case 13: free(block); block = aligned_alloc(64, size / 64 * 64 + 64); break;
    default: free(block); block = NULL;
    }
    free(atomic_exchange(slot, block));
  }
  return NULL;
}

int main(int count, char **words) {
  pthread_t handles[64];
  long threads = count > 1 ? atol(words[1]) : 4;
  operations = count > 2 ? atol(words[2]) : 100000;
  for (long k = 0; k < threads; k++) pthread_create(&handles[k], NULL, work, (void *)k);
  for (long k = 0; k < threads; k++) pthread_join(handles[k], NULL);
  for (int slot = 0; slot < SLOTS; slot++) free(slots[slot]);
  return 0;
}
