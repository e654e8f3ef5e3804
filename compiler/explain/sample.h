// A launch to look at before there is one: arguments and a grid for which a kernel does what it is
// for. Explanations describe what happens there; at run time the launch itself counts.
#ifndef GCL_EXPLAIN_SAMPLE_H
#define GCL_EXPLAIN_SAMPLE_H

#include <glib.h>

#include "known.h"
#include "plan/program/split.h"

/// What kind of launch a sample is: zeros are the usual one.
struct gcl_sample_style {
    struct gcl_known_launch known;
    bool is_small;        ///< a grid of a few blocks, and loops of a few rounds
    bool is_tiny;         ///< two blocks along each axis
    bool guesses;         ///< block sizes follow from numbers in the kernel
    bool divides_by_much; ///< more than there are threads
};

struct gcl_sample {
    struct gcl_program program; ///< with variables of its own
    struct gcl_launch_part launch;
    unsigned char *arguments;
    void **variables;
    void *const **slots;
    struct gcl_sample_style style;
    bool uses[3];    ///< axes of the grid that count
    uint8_t *counts; ///< of each node, what it counts (sample.c)
    bool *fitted; ///< of each byte of the arguments, whether a number of threads is compared there
    bool *pinned; ///< of each byte of the arguments, whether what stands there is to stay
    struct gcl_evaluator *evaluator;
};

struct gcl_sample *gcl_sample_create(const struct gcl_program *program,
                                     const struct gcl_sample_style *style);
/// The sample of several kinds (gcl_sample_style) that suits the kernel; a launch that the kernel
/// is seen not to be meant for is the last choice. `known`: what all kinds have in common.
struct gcl_sample *gcl_sample_choose(const struct gcl_program *program,
                                     const struct gcl_known_launch *known);
void gcl_sample_destroy(struct gcl_sample *sample);

/// Bytes of the packed arguments that count.
size_t gcl_sample_argument_size(const struct gcl_sample *sample);
/// What the base points to, as far as it doesn't come from an argument: see gcl_sample_footprint.
uint64_t gcl_sample_address(uint16_t base);

/// How the launch is cut.
struct gcl_split gcl_sample_split(const struct gcl_sample *sample);
/// The footprint of the blocks [begin, end) along `axis`, to be finished. Each base has an
/// allocation of its own and lies in the middle of it, GCL_SAMPLE_MIDDLE behind its begin.
struct gcl_footprint gcl_sample_footprint(const struct gcl_sample *sample, unsigned axis,
                                          uint32_t begin, uint32_t end);
/// Begins a sample of the same launch, but for an argument that is larger by half; borrows from
/// `sample`. False: the argument is to stay as it is.
bool gcl_sample_begin_larger(const struct gcl_sample *sample, uint16_t node,
                             struct gcl_sample *larger);
void gcl_sample_finish_larger(struct gcl_sample *larger);
/// Begins a sample of the same launch, as if the kernel had one access only; borrows from `sample`.
void gcl_sample_begin_access(const struct gcl_sample *sample, uint16_t access,
                             struct gcl_sample *one);
void gcl_sample_finish_access(struct gcl_sample *sample);
/// The base that has this use.
uint16_t gcl_sample_base(const struct gcl_allocation_use *use);
/// What happens to a base there; NULL: nothing.
const struct gcl_allocation_use *gcl_sample_use(const struct gcl_sample *sample,
                                                const struct gcl_footprint *footprint,
                                                uint16_t base);

#define GCL_SAMPLE_MIDDLE (INT64_C(1) << 42)

#endif
