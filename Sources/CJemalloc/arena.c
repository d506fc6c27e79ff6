#include "CJemalloc.h"
const char *malloc_conf = "retain:false,thp:never";
