// Private to survey.c, survey_key.c and survey_words.c: what surveys are made of.
#ifndef GCL_PLAN_SURVEY_PARTS_H
#define GCL_PLAN_SURVEY_PARTS_H

#include "plan/directory/pack.h"
#include "plan/inspect/inspect.h"
#include "plan/program/key.h"
#include "plan/survey/kept.h"
#include "plan/survey/survey.h"

enum { GCL_SURVEY_REMEMBERED = 4 }; ///< surveys of an access

/// What was found, or that nothing can be.
struct gcl_survey_result {
    struct gcl_key key;
    size_t bare_size;             ///< of the key, without the versions of what is looked up
    uint64_t steady;              ///< hash of what it depends on but for what only guards read
    struct gcl_inspection *parts; ///< of each node; NULL: nothing
    struct gcl_kept *kept;        ///< of each node's blocks that were gone through here
};

enum gcl_survey_stage {
    GCL_SURVEY_SKIPPED, ///< needn't be surveyed, or can't
    GCL_SURVEY_WAITING, ///< for what it depends on
    GCL_SURVEY_CHOSEN,  ///< can be now
    GCL_SURVEY_MISSED,  ///< and isn't remembered
    GCL_SURVEY_KNOWN
};

struct gcl_surveyed {
    struct gcl_origins origins;
    struct gcl_key_arguments arguments; ///< among the origins
    struct gcl_key_arguments steady;    ///< those that count if what only guards read is unknown
    bool is_steady;                     ///< it is to be
    unsigned unsteady;                  ///< surveys in a row that only that was another one for
    uint64_t missed_launch;             ///< the latest one of them was for this launch
    bool may_need;                      ///< depends on the launch
    uint64_t long_blocks;               ///< blocks of the smallest launch that took too long
    struct gcl_survey_result results[GCL_SURVEY_REMEMBERED];
    unsigned next;  ///< place of the next result
    unsigned found; ///< place of this launch's
    enum gcl_survey_stage stage;
};

struct gcl_survey {
    const struct gcl_program *program;
    struct gcl_directory *directory;
    uint32_t count; ///< nodes
    struct gcl_surveyed *accesses;
    const struct gcl_inspection **found; ///< by node, then access
    struct gcl_reading *readings;
    size_t reading_count;
    uint64_t looks;
    struct gcl_survey_shares shares;
    uint64_t launches;      ///< that have been planned
    uint64_t reused_launch; ///< the latest one that needed no look
};

/// What an access touches, where others look it up.
struct gcl_survey_reach {
    struct gcl_footprint *parts; ///< of each node; NULL: it hasn't been asked for
    bool is_readable;            ///< it can be looked up
};

/// What nodes look up of an allocation.
struct gcl_survey_lookup {
    struct gcl_span allocation;
    struct gcl_region *needed; ///< of each node
};

/// What a node found of one access.
struct gcl_survey_finding {
    enum gcl_inspected inspected;
    struct gcl_inspection inspection;
};

/// A call of gcl_survey_take.
struct gcl_survey_taking {
    struct gcl_survey *survey;
    const struct gcl_survey_launch *launch;
    const struct gcl_reader *reader;
    struct gcl_survey_reach *reaches; ///< by access
    struct gcl_survey_lookup *lookups;
    size_t lookup_count;
};

/// What a survey goes by; `is_steady`: what only guards read is unknown.
struct gcl_origins gcl_survey_origins(const struct gcl_surveyed *surveyed, bool is_steady);
/// Makes the key of what is found of an access, with `is_steady` as above, and notes the readings
/// in it. Its first `*bare_size` bytes don't depend on the versions of what is looked up. False: no
/// memory; what it has is to be freed all the same.
GCL_MUST_USE bool gcl_survey_make_key(const struct gcl_survey_taking *taking, uint16_t access,
                                      bool is_steady, struct gcl_key *key, size_t *bare_size);

void gcl_survey_pack(struct gcl_pack *out, const struct gcl_survey_finding *finding);
/// Reads a finding that another node has packed. False: it makes no sense.
GCL_MUST_USE bool gcl_survey_unpack(const struct gcl_survey_taking *taking, struct gcl_unpack *in,
                                    struct gcl_survey_finding *finding);

#endif
