#include "CProcessFootprint.h"

#if defined(__APPLE__)

#include <TargetConditionals.h>
#include <mach/mach.h>

#if TARGET_OS_IPHONE && !TARGET_OS_SIMULATOR && !TARGET_OS_MACCATALYST
#include <os/proc.h>
#define HAS_HEADROOM 1
#endif

int64_t jettison_process_footprint(void) {
  task_vm_info_data_t info;
  mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
  kern_return_t result =
      task_info(mach_task_self(), TASK_VM_INFO, (task_info_t)&info, &count);
  // Older systems fill in less than is asked for.
  if (result != KERN_SUCCESS || count < TASK_VM_INFO_REV1_COUNT) return -1;
  return (int64_t)info.phys_footprint;
}

int64_t jettison_process_headroom(void) {
#ifdef HAS_HEADROOM
  return (int64_t)os_proc_available_memory();
#else
  return -1;
#endif
}

#else

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// The kilobytes on the line that begins with `key`; -1 if there is none.
static int64_t kilobytes(const char *text, const char *key) {
  const char *line = strstr(text, key);
  if (line == NULL) return -1;
  int64_t value = 0;
  for (const char *byte = line + strlen(key); *byte != '\n' && *byte != '\0'; byte++) {
    if (*byte >= '0' && *byte <= '9' && value < INT64_C(1) << 40) value = value * 10 + *byte - '0';
  }
  return value;
}

int64_t jettison_process_footprint(void) {
  char text[4096];
  size_t length = 0;
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  while (length < sizeof text - 1) {
    ssize_t got = read(file, text + length, sizeof text - 1 - length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    length += (size_t)got;
  }
  close(file);
  text[length] = '\0';
  int64_t anonymous = kilobytes(text, "\nRssAnon:");
  int64_t swapped = kilobytes(text, "\nVmSwap:");
  if (anonymous < 0) return -1;
  return (anonymous + (swapped < 0 ? 0 : swapped)) * 1024;
}

int64_t jettison_process_headroom(void) { return -1; }

#endif
