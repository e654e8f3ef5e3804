// The room of surveys: inspections (plan/inspect) that nodes share out. To be read in this order:
//
//     reader.h          how nodes look into memory and tell each other
//     kept.h            what was found, and where it was looked up, for when some of that changes
//     inspect_shares.h  inspections that several threads of a node share
//     steady.h          what counts for an access if what only conditions read isn't looked at
//
// What the accesses of a kernel touch on each node whose addresses, or the ends of whose loops,
// come from memory: each node goes through its own blocks, for which it needs no more of that
// memory than they do, and tells the others.
//
// All nodes take the same decisions: these depend on the launch, the directory and on what all
// nodes were told, never on what only one of them has seen.
#ifndef GCL_PLAN_SURVEY_H
#define GCL_PLAN_SURVEY_H

#include "plan/directory/directory.h"
#include "plan/program/footprint.h"
#include "plan/survey/reader.h"

/// The survey of one program: remembers what was found as long as it holds, and where part of an
/// array has changed, only the shares of blocks that look there are gone through again. Used by one
/// thread at a time.
struct gcl_survey;
/// NULL: no memory.
struct gcl_survey *gcl_survey_create(const struct gcl_program *program,
                                     struct gcl_directory *directory);
void gcl_survey_destroy(struct gcl_survey *survey);
/// Bytes that it takes.
size_t gcl_survey_memory(const struct gcl_survey *survey);

/// A launch whose parts are surveyed.
struct gcl_survey_launch {
    struct gcl_evaluator *evaluator;
    const struct gcl_launch_part *launch; ///< all of it
    const struct gcl_launch_part *parts;  ///< of each node; empty for some
    char axis;                            ///< along which it was cut; 0: it wasn't
    struct gcl_contents *contents;        ///< the launch's
};
/// Another launch is going to be planned: what is taken next is for that one. `is_reused`: it needs
/// nothing, since the plan of one before serves.
void gcl_survey_begin_launch(struct gcl_survey *survey, bool is_reused);
/// Goes through what has to be. Without `reader` nothing is found. False: no memory.
GCL_MUST_USE bool gcl_survey_take(struct gcl_survey *survey, const struct gcl_survey_launch *launch,
                                  const struct gcl_reader *reader);
/// What the latest call found for a node's part, as in struct gcl_bytes_source; until the next one.
const struct gcl_inspection *const *gcl_survey_found(const struct gcl_survey *survey,
                                                     uint32_t node);
/// What that depends on, and a number that grows with every look into memory.
const struct gcl_reading *gcl_survey_readings(const struct gcl_survey *survey, size_t *count);
uint64_t gcl_survey_looks(const struct gcl_survey *survey);
/// Of the shares of blocks of which this node wanted to know something: those that it went through,
/// and those that were kept, as nothing had changed where they look.
struct gcl_survey_shares {
    uint64_t looked, kept;
};
struct gcl_survey_shares gcl_survey_shares(const struct gcl_survey *survey);

#endif
