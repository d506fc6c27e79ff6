#include "thread_room.h"

#include <pthread.h>
#include <stdlib.h>

static void *wait_at(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

int thread_room(int wanted) {
  if (wanted <= 0) return 0;
  pthread_t *threads = malloc((size_t)wanted * sizeof *threads);
  if (threads == NULL) return 0;
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&gate);
  int count = 0;
  while (count < wanted && pthread_create(&threads[count], NULL, wait_at, &gate) == 0) count++;
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  free(threads);
  return count;
}
