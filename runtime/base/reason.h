// Reasons of gcluster/reasons.h for people.
#ifndef GCL_BASE_REASON_H
#define GCL_BASE_REASON_H

#include <stdint.h>

/// Why it is so: "threads allocate memory" for 206; "" for a code that doesn't exist.
const char *gcl_reason_why(uint16_t code);

#endif
