// What a launch does on several nodes, as far as the source says how it is launched.
#ifndef GCL_LSP_MEASURE_H
#define GCL_LSP_MEASURE_H

#include <clang-c/Index.h>

#include "explain/spread.h"
#include "lsp/kernel/launches.h"
#include "plan/region/geometry.h"

/// A kernel, and what is known of how it is launched.
struct gcl_measure {
    const json_t *kernel;                ///< its explanation, borrowed
    struct gcl_explained_kernel *tables; ///< its access program
    struct gcl_source_kernel function;   ///< name and parameters; the rest is empty
    struct gcl_geometry geometry;        ///< without shared memory
    bool knows_grid, knows_block;        ///< whether those of `geometry` are set
    GArray *known;                       ///< struct gcl_known_number: scalars whose value is known
    GPtrArray *assumed; ///< char *, "n = 512": what was taken for granted for `known`
    GArray *fixed;      ///< uint32_t: offsets of pointers to what isn't written between launches
    GArray *rewritten;  ///< uint32_t: of pointers to what is; others: in no list
    GPtrArray *moved;   ///< char *: what is read that others write in a loop around the launch
    CXCursor call, configuration; ///< the launch and its `<<<…>>>` in clang's tree, null: none
};

/// A launch, or any of the kernel that `function` declares, of which nothing is known. The kernel
/// is the one that runs there, if instances of a template are known apart. NULL: it hasn't been
/// analysed.
struct gcl_measure *gcl_measure_launch(const struct gcl_view *view,
                                       const struct gcl_source_launch *launch);
struct gcl_measure *gcl_measure_function(const struct gcl_view *view, CXCursor function);
void gcl_measure_destroy(struct gcl_measure *measure);

/// Notes what the source says of the launch. What the measure knows already counts more, also as
/// the value of variables that are passed for a scalar.
void gcl_measure_read(struct gcl_measure *measure);

/// Whether all is known on which depends what moves.
bool gcl_measure_is_whole(const struct gcl_measure *measure);

/// "n = 512, in and out change places", to be freed: what has been taken for granted for the
/// measure's spread (see below); "" if nothing has.
char *gcl_measure_assumed(const struct gcl_measure *measure, const json_t *spread);

/// The byte of the packed arguments where a parameter, or a field of one, begins.
uint32_t gcl_measure_offset(const struct gcl_measure *measure,
                            const struct gcl_source_parameter *p);
/// Bytes of a scalar; 0: it is none, or nobody knows its type.
uint32_t gcl_measure_size(const struct gcl_measure *measure, const struct gcl_source_parameter *p);
bool gcl_measure_knows(const struct gcl_measure *measure, uint32_t offset);
/// Notes the value of a scalar that isn't known yet.
void gcl_measure_add(struct gcl_measure *measure, struct gcl_known_number number);

/// What explain/spread.h says of the launch, a new reference. The spread is found in a process of
/// its own, whose processor time is taken from `*budget_us`; what was found once is remembered with
/// the view. NULL with a sentence in `why`, to be freed: it took too long, or crashed.
json_t *gcl_measure_spread(struct gcl_view *view, const struct gcl_measure *measure,
                           uint32_t node_count, gint64 *budget_us, char **why);

#endif
