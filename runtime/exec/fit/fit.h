// Launches that don't fit the device: where more is allocated than it holds (residency.h), a launch
// runs as ranges of blocks, one after the other, each so small that what it needs has room. Its
// bytes come while the range before it runs, and those of the one before that go.
//
// A launch is cut along the axis whose halves need least: at once in as many slices as it takes
// where each half needs half of it, else in halves, again and again: so the ranges of a product of
// matrices become tiles. Where no axis leaves less, as of a kernel whose reads
// can't be bounded, and in launches whose blocks have to be there together, chunks come as they are
// touched.
#ifndef GCL_EXEC_FIT_H
#define GCL_EXEC_FIT_H

#include <stdbool.h>
#include <stdint.h>

struct gcl_engine;
struct gcl_residency;
struct gcl_span;

/// Of the device's memory a range uses one part, the next one another, and what is used again has
/// the others.
enum { GCL_FIT_PARTS = 8 };

struct gcl_fit_options {
    struct gcl_engine *engine;
    struct gcl_residency *residency;
    /// Finds the allocation that holds `address`, as addresses, for who submits a launch. False:
    /// none does.
    bool (*find)(void *context, uint64_t address, struct gcl_span *allocation);
    void *context;
    /// What comes from memory may be looked up before a launch, for which its stream is waited for.
    bool looks_up;
};

/// From here on launches that the engine is given are made to fit; once in a process.
void gcl_fit_start(const struct gcl_fit_options *options);

#endif
