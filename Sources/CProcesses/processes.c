#define _GNU_SOURCE
#include "processes.h"

#ifdef __linux__

#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* `struct pidfd_info` in its first version, and what it is asked with (linux/pidfd.h of 6.15). */
struct process_info {
  uint64_t mask;
  uint64_t cgroup;
  uint32_t identifiers[11];
  int32_t exit_status;
};
#define INFO_EXIT (UINT64_C(1) << 3)
#define GET_INFO _IOWR(0xFF, 11, struct process_info)

bool jettison_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0; }

int jettison_process_open(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

bool jettison_process_exit(int descriptor, int *status) {
  struct process_info info;
  memset(&info, 0, sizeof info);
  info.mask = INFO_EXIT;
  if (ioctl(descriptor, GET_INFO, &info) != 0 || (info.mask & INFO_EXIT) == 0) return false;
  *status = info.exit_status;
  return true;
}

#else

bool jettison_adopt_orphans(void) { return false; }

int jettison_process_open(int process) {
  (void)process;
  return -1;
}

bool jettison_process_exit(int descriptor, int *status) {
  (void)descriptor;
  (void)status;
  return false;
}

#endif
