// What a returned atomic operation counts with.
#ifndef GCL_LSP_COUNTER_H
#define GCL_LSP_COUNTER_H

#include "lsp/repair/kernel_text.h"

struct gcl_counter {
    TSNode address;   ///< the first argument of the operation
    char *value;      ///< what is counted, as an expression of the device: "*count", "p->n"
    bool is_passed;   ///< by a parameter of the kernel; else it is a variable of the device
    const char *type; ///< "unsigned"
};

/// Knows the counter at the address that an atomic operation of the kernel gets; to be finished in
/// any case. False if it isn't sure to be the same for all threads, or no integer.
bool gcl_counter_find(const struct gcl_kernel_text *kernel, TSNode address,
                      struct gcl_counter *counter);
void gcl_counter_finish(struct gcl_counter *counter);

#endif
