/*
 * What builds with the address sanitizer need: C++'s operators new and delete, above all.
 *
 * libjemalloc brings operators of its own: `new` takes memory from jemalloc, but `delete` calls the
 * process's `free`, which then is the sanitizer's and does not know the block. The C++ code in
 * Swift's runtime would end the program at its first long string. These here take precedence and
 * keep both sides with the sanitizer, which never returns null from `malloc`.
 */

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(address_sanitizer)

#include <stddef.h>
#include <stdlib.h>

/* Defines both the operator and the one for arrays; the letters are those of the mangled names. */
#define NEW(suffix, block, ...)                        \
  void *_Znwm##suffix(__VA_ARGS__) { return (block); } \
  void *_Znam##suffix(__VA_ARGS__) { return (block); }
#define DELETE(suffix, ...)                           \
  void _ZdlPv##suffix(__VA_ARGS__) { free(address); } \
  void _ZdaPv##suffix(__VA_ARGS__) { free(address); }

static void *allocate_aligned(size_t size, size_t alignment) {
  void *address = NULL;
  return posix_memalign(&address, alignment, size) == 0 ? address : NULL;
}

NEW(, malloc(size), size_t size)
NEW(RKSt9nothrow_t, malloc(size), size_t size, const void *tag)
NEW(St11align_val_t, allocate_aligned(size, alignment), size_t size, size_t alignment)
NEW(St11align_val_tRKSt9nothrow_t, allocate_aligned(size, alignment), size_t size,
    size_t alignment, const void *tag)

/* Leaks of the test library, and of Foundation's `Process`, which tests use. */
const char *__lsan_default_suppressions(void) {
  return "leak:XCTMainMisc\nleak:Foundation7ProcessC3run\n";
}

DELETE(, void *address)
DELETE(m, void *address, size_t size)
DELETE(RKSt9nothrow_t, void *address, const void *tag)
DELETE(St11align_val_t, void *address, size_t alignment)
DELETE(mSt11align_val_t, void *address, size_t size, size_t alignment)
DELETE(St11align_val_tRKSt9nothrow_t, void *address, size_t alignment, const void *tag)

#endif
#endif
