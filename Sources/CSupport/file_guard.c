#define _GNU_SOURCE
#include "file_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Handlers may not take a lock. So a thread that changes the table is counted as being `inside`, with
 * signals blocked on its thread; a handler bars the door and waits until none is inside. */

enum kind { KIND_FILE, KIND_DIRECTORY, KIND_MAPPING };

struct entry {
  /* A file that is still written, a directory that was made, or what memory was mapped from;
   * NULL: the entry is free. */
  char *name;
  enum kind kind;
  /* The mapped range. */
  uintptr_t start;
  size_t size;
  /* The next free entry; -1: none. */
  int next;
};

static struct entry *entries;
static int entry_count;
static int first_free = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;
static atomic_bool barred;
static _Thread_local int depth;
static _Thread_local sigset_t mask_before;

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
static const int crashes[] = {SIGBUS, SIGSEGV, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
enum { ending_count = sizeof endings / sizeof *endings };
enum { crash_count = sizeof crashes / sizeof *crashes };
static struct sigaction crash_actions[crash_count];

/* EX_NOINPUT: the input was there and no longer is. */
enum { status_unreadable = 66 };

static void enter(void) {
  if (depth++ > 0) return;
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int i = 0; i < ending_count; i++) sigaddset(&blocked, endings[i]);
  pthread_sigmask(SIG_BLOCK, &blocked, &mask_before);
  for (;;) {
    atomic_fetch_add(&inside, 1);
    if (!atomic_load(&barred)) return;
    /* The process is ending: nothing new may begin. */
    atomic_fetch_sub(&inside, 1);
    pause();
  }
}

static void leave(void) {
  if (--depth > 0) return;
  atomic_fetch_sub(&inside, 1);
  pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
}

static void wait_until_outside(int milliseconds) {
  atomic_store(&barred, true);
  const struct timespec moment = {.tv_nsec = 1000000};
  /* A thread that crashed inside, or waits for something that the interrupted thread holds, never
   * leaves. */
  for (int tries = 0; atomic_load(&inside) > 0 && tries < milliseconds; tries++) {
    nanosleep(&moment, NULL);
  }
}

static void remove_files(void) {
  for (int i = 0; i < entry_count; i++) {
    if (entries[i].name != NULL && entries[i].kind == KIND_FILE) unlink(entries[i].name);
  }
  /* Whatever is empty, what lies inside first. A second signal has another thread do the same at the
   * same time, and the process ends with the first that is done: so what the other removed counts. */
  int directories = 0;
  for (int i = 0; i < entry_count; i++) {
    if (entries[i].name != NULL && entries[i].kind == KIND_DIRECTORY) directories++;
  }
  for (int pass = 0; pass < directories; pass++) {
    for (int i = 0; i < entry_count; i++) {
      if (entries[i].name != NULL && entries[i].kind == KIND_DIRECTORY) rmdir(entries[i].name);
    }
  }
}

static void answer_ending(int number) {
  int error = errno;
  wait_until_outside(5000);
  remove_files();
  signal(number, SIG_DFL);
  errno = error;
  /* Blocked while it is handled: it ends the process when this handler returns. */
  raise(number);
}

static void write_text(const char *text) {
  ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  (void)ignored;
}

static void answer_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  wait_until_outside(200);
  remove_files();
  if (number == SIGBUS && info->si_code > 0) {
    uintptr_t address = (uintptr_t)info->si_addr;
    for (int i = 0; i < entry_count; i++) {
      if (entries[i].name == NULL || entries[i].kind != KIND_MAPPING) continue;
      if (address - entries[i].start >= entries[i].size) continue;
      write_text("jettison: ");
      write_text(entries[i].name);
      write_text(
        ": was cut short, or could not be read, while it was being read (try again when no "
        "program is changing it)\n");
      _exit(status_unreadable);
    }
  }
  for (int i = 0; i < crash_count; i++) {
    if (crashes[i] == number) sigaction(number, &crash_actions[i], NULL);
  }
  /* What the processor raised comes again by itself; what was sent does not. */
  if (info->si_code <= 0) raise(number);
}

void file_guard_install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigfillset(&action.sa_mask);
  action.sa_handler = answer_ending;
  for (int i = 0; i < ending_count; i++) {
    struct sigaction before;
    if (sigaction(endings[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    sigaction(endings[i], &action, NULL);
  }
  action.sa_sigaction = answer_crash;
  action.sa_flags = SA_SIGINFO;
  for (int i = 0; i < crash_count; i++) {
    if (sigaction(crashes[i], NULL, &crash_actions[i]) != 0) continue;
    if (crash_actions[i].sa_handler != SIG_IGN) sigaction(crashes[i], &action, NULL);
  }
  atexit(remove_files);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

/* Takes an entry, or -1; to be called inside. */
static int take(enum kind kind, const char *name, const void *start, size_t size) {
  char *copy = strdup(name);
  if (copy == NULL) return -1;
  pthread_mutex_lock(&lock);
  if (first_free < 0) {
    int count = entry_count > 0 ? 2 * entry_count : 64;
    struct entry *grown = realloc(entries, (size_t)count * sizeof *grown);
    if (grown == NULL) {
      pthread_mutex_unlock(&lock);
      free(copy);
      return -1;
    }
    entries = grown;
    for (int i = count - 1; i >= entry_count; i--) {
      entries[i] = (struct entry){.next = first_free};
      first_free = i;
    }
    entry_count = count;
  }
  int ticket = first_free;
  first_free = entries[ticket].next;
  entries[ticket] =
    (struct entry){.name = copy, .kind = kind, .start = (uintptr_t)start, .size = size};
  pthread_mutex_unlock(&lock);
  return ticket;
}

/* Gives an entry back; to be called inside. */
static void give_back(int ticket) {
  pthread_mutex_lock(&lock);
  free(entries[ticket].name);
  entries[ticket] = (struct entry){.next = first_free};
  first_free = ticket;
  pthread_mutex_unlock(&lock);
}

/* The name of an entry, which stays where it is until the entry is given back. */
static const char *name(int ticket) {
  pthread_mutex_lock(&lock);
  const char *name = entries[ticket].name;
  pthread_mutex_unlock(&lock);
  return name;
}

int file_guard_create(const char *path, mode_t mode, int *descriptor) {
  enter();
  int ticket = -1;
  *descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  int error = errno;
  if (*descriptor >= 0) {
    ticket = take(KIND_FILE, path, NULL, 0);
    if (ticket < 0) {
      error = ENOMEM;
      close(*descriptor);
      unlink(path);
    }
  }
  leave();
  errno = error;
  return ticket;
}

int file_guard_make_directory(const char *path, mode_t mode) {
  enter();
  int result = mkdir(path, mode);
  int error = errno;
  /* Without room to remember it, an empty one may stay. */
  if (result == 0) take(KIND_DIRECTORY, path, NULL, 0);
  leave();
  errno = error;
  return result;
}

int file_guard_publish(int ticket, const char *final) {
  enter();
  int result = rename(name(ticket), final);
  int error = errno;
  if (result == 0) give_back(ticket);
  leave();
  errno = error;
  return result;
}

void file_guard_remove(int ticket) {
  enter();
  unlink(name(ticket));
  give_back(ticket);
  leave();
}

void file_guard_hold(void) { enter(); }

void file_guard_release(void) { leave(); }

int file_guard_map(const void *start, size_t size, const char *name) {
  enter();
  int ticket = size > 0 ? take(KIND_MAPPING, name, start, size) : -1;
  leave();
  return ticket;
}

void file_guard_unmap(int ticket) {
  if (ticket < 0) return;
  enter();
  give_back(ticket);
  leave();
}
