#ifndef CJEMALLOC_H
#define CJEMALLOC_H
#include <jemalloc/jemalloc.h>
#endif
