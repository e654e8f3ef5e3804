// What arrays hold that a launch only reads: addresses and bounds of loops may come from there.
//
// The launch's threads find there what is there before it, as no thread changes it: that has to be
// known of all blocks, not only of those that a footprint is wanted of.
#ifndef GCL_PLAN_CONTENTS_H
#define GCL_PLAN_CONTENTS_H

#include "plan/inspect/lanes.h"
#include "plan/inspect/memory.h"
#include "plan/region/marks.h"

/// An allocation whose contents have been asked for, or given.
struct gcl_content {
    struct gcl_span allocation;
    const unsigned char *bytes; ///< NULL: unknown
    bool is_refused;            ///< nobody knows them
    uint64_t version;
    struct gcl_region here;    ///< of `bytes`, these can be read
    struct gcl_span run;       ///< one of `here`, from which was read last
    struct gcl_region changed; ///< the launch may change this
    struct gcl_marks read;     ///< pages from which was read; without bits: nobody asks
};

/// What the launch may change of an allocation.
struct gcl_content_change {
    struct gcl_span allocation;
    struct gcl_region bytes;
};

/// Zeroed but for the memory: of a launch that changes nothing, and looks nothing up.
/// gcl_footprint_open_contents makes others.
struct gcl_contents {
    const struct gcl_memory *memory;
    bool may_read; ///< the program has something to look up, and that can be done
    bool is_given; ///< to be set: nothing is asked for, what isn't given is unknown
    struct gcl_content_change *changes; ///< of the whole launch
    size_t change_count;
    struct gcl_content *list;
    size_t count;
    size_t last;     ///< where something was found
    bool has_lacked; ///< something wasn't known, but for what the launch may change
};

/// The launch may change these bytes, too. False: no memory.
GCL_MUST_USE bool gcl_contents_change(struct gcl_contents *contents,
                                      const struct gcl_span *allocation,
                                      const struct gcl_region *bytes);
/// Gives some bytes of an allocation, whose first one would be at `bytes`, instead of those given
/// before. False: no memory.
GCL_MUST_USE bool gcl_contents_give(struct gcl_contents *contents,
                                    const struct gcl_span *allocation, const unsigned char *bytes,
                                    const struct gcl_region *here);
/// Reads `size` bytes (up to 8) at an address, as a number. False: they aren't known, or the launch
/// may change them.
bool gcl_contents_read(struct gcl_contents *contents, uint64_t address, unsigned size,
                       uint64_t *value);
/// Lets another thread read what is given, and notes from which pages it does: `copy` borrows it,
/// and is to be given back. False: no memory.
GCL_MUST_USE bool gcl_contents_lend(const struct gcl_contents *contents, struct gcl_contents *copy);
void gcl_contents_return(struct gcl_contents *copy);
/// Reads `size` bytes at the address in each of `count` lanes, and puts the number in its place.
void gcl_contents_read_lanes(struct gcl_contents *contents, unsigned size, unsigned count,
                             struct gcl_lanes *lanes);
/// A run of bytes of an allocation, all of which are known and none of which the launch changes.
struct gcl_contents_window {
    size_t content;             ///< its place in the list, as long as nothing is added
    uint64_t begin, size;       ///< addresses
    const unsigned char *bytes; ///< the first one
};
/// Finds all that is known of the allocation that holds an address, if that is one run. False: it
/// isn't, or the launch changes some of the allocation.
bool gcl_contents_find_window(struct gcl_contents *contents, uint64_t address,
                              struct gcl_contents_window *window);
/// Notes that bytes from offset `begin` up to `end` of a window were read, or as good as.
void gcl_contents_note(struct gcl_contents *contents, const struct gcl_contents_window *window,
                       uint64_t begin, uint64_t end);
/// Adds to `changed` what the launch may change of an allocation.
void gcl_contents_changed(const struct gcl_contents *contents, const struct gcl_span *allocation,
                          struct gcl_region *changed);
void gcl_contents_finish(struct gcl_contents *contents);

#endif
