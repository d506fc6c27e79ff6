/* A malloc-heavy program: short and long lives, many sizes, and blocks that are used. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long operations = 4000000;

static size_t size_of(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint64_t draw = *state >> 33;
  /* As programs ask: half below 64 bytes, nearly all below 1 KiB, few large. */
  if (draw % 2 == 0) return 8 + draw / 2 % 56;
  if (draw % 32 != 1) return 64 + draw / 32 % 960;
  return 1024 + draw / 32 % 31744;
}

static void *work(void *seed) {
  uint64_t state = (uintptr_t)seed * 977 + 1;
  enum { SLOTS = 4096 };
  char **slots = calloc(SLOTS, sizeof *slots);
  uint64_t sum = 0;
  for (long k = 0; k < operations / 2; k++) {
    size_t slot = (state >> 20) % SLOTS;
    size_t size = size_of(&state);
    if (slots[slot] && size % 16 == 0) {
      slots[slot] = realloc(slots[slot], size);
    } else {
      free(slots[slot]);
      slots[slot] = malloc(size);
    }
    /* Whoever asks for a block fills it and reads it. */
    memset(slots[slot], (int)size, size);
    for (size_t at = 0; at < size; at += 8) sum += (unsigned char)slots[slot][at];
  }
  for (size_t slot = 0; slot < SLOTS; slot++) free(slots[slot]);
  free(slots);
  return (void *)(uintptr_t)sum;
}

int main(int count, char **words) {
  int threads = count > 1 ? atoi(words[1]) : 1;
  if (count > 2) operations = atol(words[2]);
  operations /= threads;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pthread_t handles[64];
  for (long k = 0; k < threads; k++) pthread_create(&handles[k], NULL, work, (void *)k);
  for (long k = 0; k < threads; k++) pthread_join(handles[k], NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%.3f s\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
}
