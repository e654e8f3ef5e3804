// Read by gcluster's own headers.
#include_next <assert.h>
#ifndef STEP_H
#define STEP_H
enum { STEP = 1 };
#endif
