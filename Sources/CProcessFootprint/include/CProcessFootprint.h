/// What the system charges this process for, in bytes, measured by the system itself.
///
/// Async-signal-safe on Darwin; on Linux it opens, reads and closes one file. Never allocates.

#ifndef C_PROCESS_FOOTPRINT_H
#define C_PROCESS_FOOTPRINT_H

#include <stdint.h>

/// The footprint of this process; -1 if the system does not say.
///
/// Darwin: `phys_footprint` of `TASK_VM_INFO`, which limits and jetsam go by. Linux: anonymous
/// resident pages and swap (`RssAnon` and `VmSwap` of `/proc/self/status`), the nearest there is.
int64_t jettison_process_footprint(void);

/// What this process may still take before it is ended for its size; -1 if there is no such limit
/// or the system does not say.
int64_t jettison_process_headroom(void);

#endif
