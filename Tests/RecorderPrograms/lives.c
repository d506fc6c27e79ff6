/*
 * How processes come and go; every life takes blocks of a size of its own, and keeps them.
 *
 *   lives fork     the parent takes 3 blocks of 1001 bytes, a child 5 of 2002
 *   lives exec     3 blocks of 1001, then the program takes its own place and takes 7 of 3003
 *   lives kill     11 blocks of 4004 bytes, then SIGKILL
 *   lives abort    the same, then abort
 *   lives _exit    the same, then _exit
 *   lives close    closes every descriptor and opens a file under the same number, then the same
 *   lives signal   20000 blocks of 5005 bytes while a signal interrupts it every 100 microseconds
 *   lives vfork    a child that shares memory ends; then 11 blocks of 4004 bytes
 *   lives late     a destructor of a thread takes and gives back 13 blocks of 6006 bytes
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile kept;

static void take(int count, size_t size) {
  for (int k = 0; k < count; k++) kept = malloc(size);
}

/* Takes no block: an allocator may be anywhere when the signal comes. */
static void on_signal(int number) { (void)number; }

static pthread_key_t key;
static void late(void *rounds) {
  for (int k = 0; k < 13; k++) free(malloc(6006));
  if ((long)rounds > 1) pthread_setspecific(key, (void *)((long)rounds - 1));
}
static void *thread(void *value) {
  pthread_setspecific(key, (void *)2);
  return value;
}

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "";
  if (!strcmp(how, "fork")) {
    take(3, 1001);
    pid_t child = fork();
    if (child == 0) {
      take(5, 2002);
      return 0;
    }
    waitpid(child, NULL, 0);
  } else if (!strcmp(how, "exec")) {
    take(3, 1001);
    execl("/proc/self/exe", words[0], "again", (char *)NULL);
  } else if (!strcmp(how, "again")) {
    take(7, 3003);
  } else if (!strcmp(how, "kill") || !strcmp(how, "abort") || !strcmp(how, "_exit")) {
    take(11, 4004);
    if (*how == 'k') kill(getpid(), SIGKILL);
    if (*how == 'a') abort();
    _exit(0);
  } else if (!strcmp(how, "close")) {
    for (int file = 3; file < 1024; file++) close(file);
    int file = open("own.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
    for (int k = 0; k < 45000; k++) free(malloc(100));
    take(11, 4004);
    if (write(file, "mine", 4) != 4) return 1;
  } else if (!strcmp(how, "signal")) {
    struct itimerval timer = {{0, 100}, {0, 100}};
    /* Whoever starts us may have blocked it. */
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    signal(SIGALRM, on_signal);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int k = 0; k < 20000; k++) free(malloc(5005));
  } else if (!strcmp(how, "vfork")) {
    pid_t child = vfork();
    if (child == 0) _exit(3);
    waitpid(child, NULL, 0);
    take(11, 4004);
  } else if (!strcmp(how, "late")) {
    pthread_t handle;
    pthread_key_create(&key, late);
    pthread_create(&handle, NULL, thread, NULL);
    pthread_join(handle, NULL);
  }
  return 0;
}
