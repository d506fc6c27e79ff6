#include "threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

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

struct start {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

int thread_start(void (*body)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  start->body = body;
  start->context = context;
  pthread_t thread;
  int code = pthread_create(&thread, NULL, run, start);
  if (code != 0) {
    free(start);
  } else {
    pthread_detach(thread);
  }
  return code;
}

int thread_stacks_are_dear(void) {
  const rlim_t plenty = (rlim_t)1 << 30;
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < plenty) return 1;
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < plenty;
}
