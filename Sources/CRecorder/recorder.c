#define _GNU_SOURCE
#include "recorder.h"

const char jettison_recorder_version[] = "1";

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Longest line: two words, two addresses, three numbers of 20 digits. */
#define LONGEST_LINE 256
/*
 * The file grows by steps, which are made ready before the first line is written into them: small
 * ones first, since most processes do little, each as long as all before it, up to the longest.
 */
#define FIRST_STEP (UINT64_C(128) << 10)
#define STEP (UINT64_C(4) << 20)
/* Address range for the file; only what is written takes memory. */
#define LARGEST_FILE (UINT64_C(1) << 40)
#define SMALLEST_FILE (UINT64_C(1) << 30)

/* Lines of a thread that may share one reading of the clock. */
#define LINES_PER_TIME 32

/* Bits of the cursor beside the position in the file. */
#define HELD (UINT64_C(1) << 63)   /* A realloc is under way: its line comes next. */
#define CLOSED (UINT64_C(1) << 62) /* Nothing more is written. */

enum phase { NOT_BEGUN, BEGINNING, RECORDING, OFF };

/* The recording of one process. It lies in a page that reads as zeros in a child. */
struct recording {
  _Atomic int phase;
  pid_t process;
  dev_t device;               /* The file, with the number below: */
  ino_t inode;
  char *text;                 /* Where it is mapped. */
  uint64_t capacity;          /* Of the mapping. */
  const char *zeros;          /* A step of them. */
  uint64_t begin;             /* Time at which the recording began; 0: it has not. */
  char pad[64];
  _Atomic uint64_t cursor;    /* Where the next line goes, and the bits above. */
  char pad2[64];
  _Atomic uint64_t ready;     /* Bytes of the file that may be written. */
  _Atomic int growing;        /* Whether a thread makes the next step ready. */
  char path[PATH_MAX + 64];
};

/* ------------------------------------------------------------------------- the real functions */

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static void *(*real_memalign)(size_t, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);
static void *(*real_valloc)(size_t);
static void *(*real_pvalloc)(size_t);
static _Atomic int resolved; /* 0: not yet, 1: under way, 2: done */

/* What the dynamic linker asks for while it looks for the real functions. Never given back. */
static _Alignas(16) char early[1 << 16];
static _Atomic size_t early_used;

static bool is_early(const void *block) {
  return (uintptr_t)block - (uintptr_t)early < sizeof early;
}

static void *early_malloc(size_t size) {
  if (size > sizeof early) return NULL;
  /* The size stands before the block, for realloc. */
  size_t needed = (size + 31) & ~(size_t)15;
  size_t start = atomic_fetch_add(&early_used, needed);
  if (start + needed > sizeof early) return NULL;
  memcpy(early + start, &size, sizeof size);
  return early + start + 16;
}

static void find(void *place, const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  memcpy(place, &function, sizeof function);
}

/* Whether the real functions are known; if not, the caller is the dynamic linker itself. */
static bool resolve(void) {
  if (atomic_load_explicit(&resolved, memory_order_acquire) == 2) return true;
  int expected = 0;
  if (!atomic_compare_exchange_strong(&resolved, &expected, 1)) return expected == 2;
  find(&real_calloc, "calloc");
  find(&real_malloc, "malloc");
  find(&real_realloc, "realloc");
  find(&real_memalign, "memalign");
  find(&real_posix_memalign, "posix_memalign");
  find(&real_aligned_alloc, "aligned_alloc");
  find(&real_valloc, "valloc");
  find(&real_pvalloc, "pvalloc");
  find(&real_free, "free");
  atomic_store_explicit(&resolved, 2, memory_order_release);
  return true;
}

/* ---------------------------------------------------------------------------- state of threads */

struct thread_state {
  bool is_busy;               /* Inside of the recorder: nothing is recorded. */
  unsigned char rounds;       /* Of destructors at the thread's end. */
  unsigned char prefix_length;
  unsigned char malloc_length;
  unsigned char free_length;
  unsigned lines;             /* Since the clock was read. */
  struct recording *owner;    /* Whose process the texts are for. */
  uint64_t begin;             /* With `owner`, tells a child's recording from its parent's. */
  uint64_t tick;              /* What the coarse clock last said. */
  uint32_t high;              /* Of the last address, and its text: most are neighbours. */
  char high_text[4];
  char prefix[24];            /* "202: " */
  char malloc_text[24];       /* "202: malloc 0x" */
  char free_text[16];         /* "202: free 0x" */
};

static __thread __attribute__((tls_model("initial-exec"))) struct thread_state self;

static struct recording *_Atomic shared;
static char path_pattern[PATH_MAX];
static bool is_clock_fine;
static pthread_key_t thread_key;
static _Atomic int has_key;

static uint64_t read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/*
 * Whether this line tells the time. A line that does not happens with the one before it. The
 * clock costs as much as an allocation: it is read when its coarse brother, which costs a fifth,
 * has moved (by some milliseconds), and every some lines.
 */
static inline bool tells_time(void) {
  if (is_clock_fine || ++self.lines >= LINES_PER_TIME) return true;
  uint64_t tick = read_clock(CLOCK_MONOTONIC_COARSE);
  if (tick == self.tick) return false;
  self.tick = tick;
  return true;
}

/* ------------------------------------------------------------------------------ text of numbers */

static const char pairs[201] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546"
    "4748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293"
    "949596979899";

static char *put_decimal(char *to, uint64_t number) {
  char digits[20];
  char *at = digits + sizeof digits;
  while (number >= 100) {
    at -= 2;
    memcpy(at, pairs + number % 100 * 2, 2);
    number /= 100;
  }
  if (number >= 10) {
    at -= 2;
    memcpy(at, pairs + number * 2, 2);
  } else {
    *--at = (char)('0' + number);
  }
  size_t length = (size_t)(digits + sizeof digits - at);
  memcpy(to, at, length);
  return to + length;
}

/* Eight hexadecimal digits at a time: each nibble gets a byte, and what is above 9 a letter. */
static uint64_t hexadecimal(uint32_t number) {
  uint64_t nibbles = number;
  nibbles = (nibbles << 16 | nibbles) & UINT64_C(0x0000FFFF0000FFFF);
  nibbles = (nibbles << 8 | nibbles) & UINT64_C(0x00FF00FF00FF00FF);
  nibbles = (nibbles << 4 | nibbles) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  uint64_t letters = (nibbles + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
  return __builtin_bswap64(
      nibbles + UINT64_C(0x3030303030303030) + letters * ('a' - '0' - 10));
}

static char *put_address(char *to, const void *address) {
  uint64_t number = (uintptr_t)address;
  uint64_t high = hexadecimal((uint32_t)(number >> 32));
  uint64_t low = hexadecimal((uint32_t)number);
  memcpy(to, "0x", 2);
  memcpy(to + 2, &high, 8);
  memcpy(to + 10, &low, 8);
  if (number >> 48) return to + 18;
  /* Addresses of programs have at most 12 digits; zeros before them are no harm. */
  memmove(to + 2, to + 6, 12);
  return to + 14;
}

/* The time, as start and end of the call, if it is told; and the end of the line. */
static char *put_times(char *to, const struct recording *recording, bool is_told) {
  if (is_told) {
    self.lines = 0;
    *to++ = ' ';
    char *end = put_decimal(to, read_clock(CLOCK_MONOTONIC) - recording->begin);
    size_t length = (size_t)(end - to);
    *end = ' ';
    memcpy(end + 1, to, length);
    to = end + 1 + length;
  }
  *to++ = '\n';
  return to;
}

/* ---------------------------------------------------------------------------------- the file */

static void complain(const char *what, int code) {
  char line[256];
  size_t length = 0;
  const char *parts[] = {
      "jettison-recorder: ", what, ": ", strerror(code), "; the program goes on unrecorded\n"};
  for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
    const char *text = parts[part];
    while (*text && length < sizeof line) line[length++] = *text++;
  }
  ssize_t written = write(STDERR_FILENO, line, length);
  (void)written;
}

/* The pattern as an absolute path, found once: a child may have changed its folder. */
static void find_pattern(void) {
  const char *wanted = getenv("JETTISON_RECORD_FILE");
  if (!wanted || !*wanted) wanted = "jettison.%p.alloc";
  size_t length = 0;
  if (*wanted != '/' && getcwd(path_pattern, sizeof path_pattern / 2)) {
    length = strlen(path_pattern);
    path_pattern[length++] = '/';
  }
  while (*wanted && length < sizeof path_pattern - 1) path_pattern[length++] = *wanted++;
  path_pattern[length] = 0;
  const char *clock_name = getenv("JETTISON_RECORD_CLOCK");
  is_clock_fine = clock_name && strcmp(clock_name, "fine") == 0;
}

/* Creates the file under a name that is free; negative: it cannot be created. */
static int create_file(struct recording *recording) {
  char *to = recording->path;
  for (const char *from = path_pattern; *from && to < recording->path + PATH_MAX; from++) {
    if (from[0] == '%' && from[1] == 'p') {
      to = put_decimal(to, (uint64_t)getpid());
      from++;
    } else {
      if (from[0] == '%' && from[1] == '%') from++;
      *to++ = *from;
    }
  }
  for (unsigned number = 0; number < 10000; number++) {
    char *end = to;
    if (number > 0) {
      *end++ = '.';
      end = put_decimal(end, number);
    }
    *end = 0;
    int file = open(recording->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

/*
 * Opens the file again. It is not kept open: programs that close descriptors they do not know
 * would have us write into files of theirs.
 */
static int reopen_file(const struct recording *recording) {
  struct stat status;
  int file = open(recording->path, O_RDWR | O_CLOEXEC);
  if (file < 0) return file;
  if (fstat(file, &status) == 0 && status.st_dev == recording->device
      && status.st_ino == recording->inode)
    return file;
  close(file);
  errno = ENOENT;
  return -1;
}

static bool write_zeros(const struct recording *recording, int file, uint64_t from, uint64_t to) {
  while (from < to) {
    size_t left = to - from < STEP ? to - from : STEP;
    ssize_t count = pwrite(file, recording->zeros, left, (off_t)from);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    from += (uint64_t)count;
  }
  return true;
}

/* Makes room in the file up to some position; false: there is none. */
static bool grow(struct recording *recording, uint64_t end) {
  struct rlimit limit;
  if (end > recording->capacity
      || (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
          && end > limit.rlim_cur)) {
    errno = EFBIG;
    return false;
  }
  uint64_t ready = atomic_load(&recording->ready);
  int file = reopen_file(recording);
  if (file < 0) return false;
  /*
   * Zeros are written first: a full disk is told here, not by a signal at a write to memory, and
   * the file's pages come in large pieces, which costs a fourth of single ones.
   */
  bool is_written = write_zeros(recording, file, ready, end);
  int code = errno;
  close(file);
  errno = code;
  if (!is_written) return false;
  madvise(recording->text + ready, end - ready, MADV_POPULATE_WRITE);
  /* What is written is the file's, no longer the program's. */
  if (ready >= 2 * STEP) madvise(recording->text + ready - 2 * STEP, STEP, MADV_DONTNEED);
  atomic_store(&recording->ready, end);
  return true;
}

static void stop(struct recording *recording) {
  atomic_store(&recording->phase, OFF);
  atomic_fetch_or(&recording->cursor, CLOSED);
}

/* Waits for, or makes, room for a line that ends at some position. */
static bool make_ready(struct recording *recording, uint64_t end) {
  unsigned turns = 0;
  while (atomic_load_explicit(&recording->ready, memory_order_acquire) < end) {
    if (atomic_load(&recording->phase) == OFF) return false;
    int expected = 0;
    if (!atomic_compare_exchange_strong(&recording->growing, &expected, 1)) {
      if (++turns > 100) sched_yield();
      continue;
    }
    bool has_grown = true;
    if (atomic_load(&recording->ready) < end) {
      uint64_t step = atomic_load(&recording->ready);
      step = step < FIRST_STEP ? FIRST_STEP : step < STEP ? step : STEP;
      has_grown = grow(recording, (end + step - 1) / step * step);
      if (!has_grown && atomic_load(&recording->phase) != OFF) {
        int code = errno;
        stop(recording);
        complain("the file cannot grow", code);
      }
    }
    atomic_store(&recording->growing, 0);
    if (!has_grown) return false;
  }
  return true;
}

static void thread_ends(void *value);

/* Begins the recording of this process. */
static void begin(struct recording *recording) {
  if (!path_pattern[0]) find_pattern();
  struct stat status;
  int file = create_file(recording);
  if (file < 0 || fstat(file, &status) != 0) {
    complain("the file to record to cannot be created", errno);
    atomic_store(&recording->phase, OFF);
    return;
  }
  uint64_t capacity = LARGEST_FILE;
  void *text = MAP_FAILED;
  while (text == MAP_FAILED && capacity >= SMALLEST_FILE) {
    text = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (text == MAP_FAILED) capacity /= 4;
  }
  close(file);
  void *zeros = MAP_FAILED;
  if (text != MAP_FAILED)
    zeros = mmap(NULL, STEP, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zeros == MAP_FAILED) {
    complain("the file to record to cannot be mapped", errno);
    atomic_store(&recording->phase, OFF);
    return;
  }
  /* A child has no use for it; nor has what is dumped when the program crashes. */
  madvise(text, capacity, MADV_DONTFORK);
  madvise(text, capacity, MADV_DONTDUMP);
  madvise(zeros, STEP, MADV_DONTFORK);
  /* All of them are one page: looked up once, not at every step. */
  madvise(zeros, STEP, MADV_POPULATE_READ);
  recording->process = getpid();
  recording->device = status.st_dev;
  recording->inode = status.st_ino;
  recording->text = text;
  recording->zeros = zeros;
  recording->capacity = capacity;
  atomic_store(&recording->cursor, 0);
  atomic_store(&recording->ready, 0);
  if (!atomic_exchange(&has_key, 1)) pthread_key_create(&thread_key, thread_ends);
  recording->begin = read_clock(CLOCK_MONOTONIC);
  atomic_store_explicit(&recording->phase, RECORDING, memory_order_release);
}

static void forget_in_child(void) {
  struct recording *recording = atomic_load(&shared);
  if (!recording) return;
  recording->begin = 0;
  atomic_store(&recording->phase, NOT_BEGUN);
}

static struct recording *make_recording(void) {
  struct recording *made = mmap(
      NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return NULL;
  if (madvise(made, sizeof *made, MADV_WIPEONFORK) != 0) pthread_atfork(NULL, NULL, forget_in_child);
  struct recording *expected = NULL;
  if (atomic_compare_exchange_strong(&shared, &expected, made)) return made;
  munmap(made, sizeof *made);
  return expected;
}

/* The texts that every line of this thread begins with. */
static void begin_thread(struct recording *recording) {
  char *end = put_decimal(self.prefix, (uint64_t)syscall(SYS_gettid));
  memcpy(end, ": ", 2);
  size_t length = (size_t)(end + 2 - self.prefix);
  memcpy(self.malloc_text, self.prefix, length);
  memcpy(self.malloc_text + length, "malloc 0x", 9);
  memcpy(self.free_text, self.prefix, length);
  memcpy(self.free_text + length, "free 0x", 7);
  self.prefix_length = (unsigned char)length;
  self.malloc_length = (unsigned char)(length + 9);
  self.free_length = (unsigned char)(length + 7);
  self.owner = recording;
  self.begin = recording->begin;
  self.tick = 0;
  self.high = 0;
  memcpy(self.high_text, "0000", 4);
  self.rounds = 0;
  pthread_setspecific(thread_key, &self);
}

/* The recording, begun if it has not; null: there is none. */
static __attribute__((noinline)) struct recording *enter_first(void) {
  struct recording *recording = atomic_load_explicit(&shared, memory_order_acquire);
  int phase =
      recording ? atomic_load_explicit(&recording->phase, memory_order_acquire) : NOT_BEGUN;
  if (phase == OFF) return NULL;
  self.is_busy = true;
  if (phase != RECORDING) {
    /* Before the C library knows its environment there is no name for the file. */
    if (!environ) goto none;
    if (!recording) recording = make_recording();
    if (!recording) goto none;
    int expected = NOT_BEGUN;
    if (atomic_compare_exchange_strong(&recording->phase, &expected, BEGINNING)) {
      int code = errno;
      begin(recording);
      errno = code;
    }
    while ((phase = atomic_load(&recording->phase)) == BEGINNING) sched_yield();
    if (phase != RECORDING) goto none;
  }
  begin_thread(recording);
  return recording;
none:
  self.is_busy = false;
  return NULL;
}

/* The recording, ready for a line of this thread; null: there is none. Marks the thread as busy. */
static inline struct recording *enter(void) {
  if (self.is_busy) return NULL;
  struct recording *recording = self.owner;
  if (!recording || recording->begin != self.begin) return enter_first();
  self.is_busy = true;
  return recording;
}

static void leave(void) { self.is_busy = false; }

/*
 * What the C library tells of itself: as long as there is but one thread, the cursor is moved
 * without an atomic operation, which costs as much as the rest of a line.
 */
extern char __libc_single_threaded __attribute__((weak));

/* Replaces the cursor if it is what is expected. */
static inline bool replace(struct recording *recording, uint64_t *expected, uint64_t cursor) {
  if (&__libc_single_threaded && __libc_single_threaded) {
    uint64_t now = atomic_load_explicit(&recording->cursor, memory_order_relaxed);
    if (now == *expected) {
      atomic_store_explicit(&recording->cursor, cursor, memory_order_relaxed);
      return true;
    }
  }
  return atomic_compare_exchange_strong_explicit(
      &recording->cursor, expected, cursor, memory_order_acq_rel, memory_order_relaxed);
}

/* Moves the cursor on, or holds it, and tells where it was; false: nothing more is written. */
static inline bool advance(struct recording *recording, uint64_t addend, uint64_t *place) {
  unsigned turns = 0;
  uint64_t cursor = atomic_load_explicit(&recording->cursor, memory_order_relaxed);
  while (true) {
    if (__builtin_expect((cursor & (CLOSED | HELD)) == 0, true)) {
      if (replace(recording, &cursor, cursor + addend)) {
        *place = cursor;
        return true;
      }
    } else {
      if (cursor & CLOSED) return false;
      if (++turns > 100) sched_yield();
      cursor = atomic_load_explicit(&recording->cursor, memory_order_relaxed);
    }
  }
}

/* Where a line of some length goes that has its place; null: nothing more is written. */
static inline char *room(struct recording *recording, uint64_t place, size_t length) {
  if (atomic_load_explicit(&recording->ready, memory_order_acquire) < place + length) {
    int code = errno;
    bool is_ready = make_ready(recording, place + length);
    errno = code;
    if (!is_ready) return NULL;
  }
  return recording->text + place;
}

static void put(struct recording *recording, uint64_t place, const char *line, size_t length) {
  char *to = room(recording, place, length);
  if (to) memcpy(to, line, length);
}

static void write_line(struct recording *recording, const char *line, const char *end) {
  uint64_t place;
  size_t length = (size_t)(end - line);
  if (advance(recording, length, &place)) put(recording, place, line, length);
}

/* Takes the next place in the file for a line; null: nothing more is written. */
static inline char *take_room(struct recording *recording, size_t length) {
  uint64_t place;
  return advance(recording, length, &place) ? room(recording, place, length) : NULL;
}

/* An address of 12 digits. */
static inline void put_short_address(char *to, uint64_t number) {
  uint64_t low = hexadecimal((uint32_t)number);
  uint32_t high = (uint32_t)(number >> 32);
  if (high != self.high) {
    uint64_t text = hexadecimal(high);
    memcpy(self.high_text, (char *)&text + 4, 4);
    self.high = high;
  }
  memcpy(to, self.high_text, 4);
  memcpy(to + 4, &low, 8);
}

static char *put_word(char *line, const char *word, size_t length) {
  memcpy(line, self.prefix, sizeof self.prefix);
  memcpy(line + self.prefix_length, word, length);
  return line + self.prefix_length + length;
}
#define PUT_WORD(line, word) put_word(line, word " ", sizeof word)

static void record_two(const char *word, size_t length, void *block, size_t one, size_t two) {
  if (!block) return;
  struct recording *recording = enter();
  if (!recording) return;
  char line[LONGEST_LINE];
  char *end = put_word(line, word, length);
  end = put_address(end, block);
  *end++ = ' ';
  end = put_decimal(end, one);
  *end++ = ' ';
  end = put_decimal(end, two);
  write_line(recording, line, put_times(end, recording, tells_time()));
  leave();
}

static __attribute__((noinline)) void write_malloc(
    struct recording *recording, void *block, size_t size, bool is_time_told) {
  char line[LONGEST_LINE];
  char *end = put_address(PUT_WORD(line, "malloc"), block);
  *end++ = ' ';
  end = put_decimal(end, size);
  write_line(recording, line, put_times(end, recording, is_time_told));
}

static __attribute__((noinline)) void write_free(
    struct recording *recording, void *block, bool is_time_told) {
  char line[LONGEST_LINE];
  char *end = put_address(PUT_WORD(line, "free"), block);
  write_line(recording, line, put_times(end, recording, is_time_told));
}

static inline void record_malloc(void *block, size_t size) {
  if (!block) return;
  struct recording *recording = enter();
  if (!recording) return;
  bool is_time_told = tells_time();
  uint64_t number = (uintptr_t)block;
  if (is_time_told || size > 9999 || number >> 48) {
    write_malloc(recording, block, size, is_time_told);
  } else {
    /* Nearly all lines: written in their place, whose length is known before. */
    unsigned digits = 1u + (size > 9) + (size > 99) + (size > 999);
    size_t length = self.malloc_length + 12u + 1u + digits + 1u;
    char *line = take_room(recording, length);
    if (line) {
      char *end = line + length;
      memcpy(line, self.malloc_text, sizeof self.malloc_text);
      /* Zeros before the number come under the address. */
      memcpy(end - 5, pairs + size / 100 * 2, 2);
      memcpy(end - 3, pairs + size % 100 * 2, 2);
      end[-1] = '\n';
      end[-2 - (int)digits] = ' ';
      put_short_address(line + self.malloc_length, number);
    }
  }
  leave();
}

static inline void record_free(void *block) {
  struct recording *recording = enter();
  if (!recording) return;
  bool is_time_told = tells_time();
  uint64_t number = (uintptr_t)block;
  if (is_time_told || number >> 48) {
    write_free(recording, block, is_time_told);
  } else {
    size_t length = self.free_length + 12u + 1u;
    char *line = take_room(recording, length);
    if (line) {
      memcpy(line, self.free_text, sizeof self.free_text);
      put_short_address(line + self.free_length, number);
      line[length - 1] = '\n';
    }
  }
  leave();
}

static void record_thread_done(void) {
  struct recording *recording = enter();
  if (!recording) return;
  char line[LONGEST_LINE];
  char *end = PUT_WORD(line, "thread_done");
  memcpy(end, "0x0", 3);
  write_line(recording, line, put_times(end + 3, recording, tells_time()));
  leave();
}

static void thread_ends(void *value) {
  /* Other destructors may still give blocks back: the last round is ours. */
  if (++self.rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(thread_key, value);
  } else {
    record_thread_done();
  }
}

/* Ends the file where its text ends. */
static void finish(void) {
  struct recording *recording = atomic_load(&shared);
  if (!recording || atomic_load(&recording->phase) != RECORDING) return;
  /* A child of vfork shares our memory, and ends long before we do. */
  if (recording->process != getpid()) return;
  uint64_t cursor = atomic_fetch_or(&recording->cursor, CLOSED);
  if (cursor & CLOSED) return;
  atomic_store(&recording->phase, OFF);
  int file = reopen_file(recording);
  if (file < 0) return;
  /* What is left is zero bytes, which readers pass over. */
  if (ftruncate(file, (off_t)(cursor & ~(HELD | CLOSED))) != 0) errno = 0;
  close(file);
}

__attribute__((destructor)) static void finish_at_exit(void) { finish(); }

/* ------------------------------------------------------------------------- what programs call */

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *malloc(size_t size) {
  if (!resolve()) return early_malloc(size);
  void *block = real_malloc(size);
  record_malloc(block, size);
  return block;
}

EXPORTED void *calloc(size_t count, size_t size) {
  if (!resolve()) {
    size_t bytes;
    /* The early memory is zero and never used twice. */
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : early_malloc(bytes);
  }
  void *block = real_calloc(count, size);
  record_two("calloc ", 7, block, count, size);
  return block;
}

EXPORTED void free(void *block) {
  if (!block || is_early(block)) return;
  if (!resolve()) return;
  /* Before the block is given back: its next owner writes a later line. */
  record_free(block);
  real_free(block);
}

/*
 * A block that moves is taken and given back in one call. No other thread may write a line meanwhile:
 * the old address can be another's before the call returns, and the new one may have become free
 * just before.
 */
static void *recorded_realloc(struct recording *recording, void *block, size_t size) {
  uint64_t place;
  if (!advance(recording, HELD, &place)) return real_realloc(block, size);
  void *moved = real_realloc(block, size);
  int code = errno;
  char line[LONGEST_LINE];
  char *end = put_address(PUT_WORD(line, "realloc"), moved);
  *end++ = ' ';
  end = put_address(end, block);
  *end++ = ' ';
  end = put_decimal(end, size);
  end = put_times(end, recording, tells_time());
  size_t length = (size_t)(end - line);
  /* Lets go and takes the place at once; a process that ends meanwhile stays closed. */
  uint64_t held = place | HELD;
  if (replace(recording, &held, place + length)) {
    put(recording, place, line, length);
  } else {
    atomic_fetch_and(&recording->cursor, ~HELD);
  }
  errno = code;
  return moved;
}

EXPORTED void *realloc(void *block, size_t size) {
  if (!resolve() || is_early(block)) {
    void *moved = malloc(size);
    if (moved && block) {
      size_t before;
      memcpy(&before, (char *)block - 16, sizeof before);
      memcpy(moved, block, before < size ? before : size);
    }
    return moved;
  }
  if (!block) {
    void *made = real_realloc(NULL, size);
    record_malloc(made, size);
    return made;
  }
  struct recording *recording = enter();
  if (!recording) return real_realloc(block, size);
  void *moved = recorded_realloc(recording, block, size);
  leave();
  return moved;
}

EXPORTED void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, bytes);
}

EXPORTED void *memalign(size_t alignment, size_t size) {
  if (!resolve()) return NULL;
  void *block = real_memalign(alignment, size);
  record_two("memalign ", 9, block, alignment, size);
  return block;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size) {
  if (!resolve()) return NULL;
  void *block = real_aligned_alloc(alignment, size);
  record_two("memalign ", 9, block, alignment, size);
  return block;
}

EXPORTED int posix_memalign(void **place, size_t alignment, size_t size) {
  if (!resolve()) return ENOMEM;
  int code = real_posix_memalign(place, alignment, size);
  if (code == 0) record_two("memalign ", 9, *place, alignment, size);
  return code;
}

EXPORTED void *valloc(size_t size) {
  if (!resolve()) return NULL;
  void *block = real_valloc(size);
  record_two("memalign ", 9, block, (size_t)sysconf(_SC_PAGESIZE), size);
  return block;
}

EXPORTED void *pvalloc(size_t size) {
  if (!resolve()) return NULL;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *block = real_pvalloc(size);
  record_two("memalign ", 9, block, page, (size + page - 1) / page * page);
  return block;
}

EXPORTED void _exit(int status) {
  finish();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

EXPORTED void _Exit(int status) { _exit(status); }

#endif
