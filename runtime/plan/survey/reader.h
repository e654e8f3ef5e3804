// A reader looks into memory for nodes that plan alike: each node plans for all, from the same
// directory, but looks only at what concerns its own blocks, and tells the others what it found.
#ifndef GCL_PLAN_READER_H
#define GCL_PLAN_READER_H

#include "plan/directory/demand.h"

/// What a node tells the others; bytes NULL: that it can't.
struct gcl_words {
    unsigned char *bytes;
    size_t size;
};

/// The functions of a reader. All nodes call the same ones, in the same order.
struct gcl_reader {
    uint32_t self; ///< this node; GCL_NOBODY: it has the memory of all, and tells nobody
    /// Lets each node get what demands say it needs, and waits for what this node gets. May move
    /// bytes, and tell the directory so. False: this node can't have what it needs.
    bool (*fetch)(void *context, const struct gcl_demand *demands, size_t count);
    /// The bytes of the allocation that begins there, as this node has them.
    const unsigned char *(*memory)(void *context, uint64_t begin);
    /// Hears what all nodes tell, `all` by node, each to be freed. False: one of them can't.
    bool (*tell)(void *context, const struct gcl_words *own, struct gcl_words *all);
    /// A node has told what can't be read, and no node can go on.
    void (*blame)(void *context, uint32_t node);
    /// Calls `work` with numbers from 0 to `count` - 1, on any threads, and waits until all are
    /// done. NULL: nobody helps. The one function that not all nodes need call alike.
    void (*share)(void *context, void (*work)(void *work_context, uint32_t number),
                  void *work_context, uint32_t count);
    void *context;
};

#endif
