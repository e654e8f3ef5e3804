// Access programs in words: names of arguments, places in the source, how blocks move through data.
#ifndef GCL_EXPLAIN_TEXT_H
#define GCL_EXPLAIN_TEXT_H

#include <glib.h>
#include <stdbool.h>

#include "explain.h"

/// How the bytes of a block follow its number along an axis of the grid.
enum gcl_motion_kind {
    GCL_MOTION_NONE, ///< blocks touch no bytes
    GCL_MOTION_STEP, ///< the bytes move by the same step from block to block
    GCL_MOTION_SAME, ///< all blocks have the same
    GCL_MOTION_ALL,  ///< anywhere in the allocation
    GCL_MOTION_IRREGULAR,
    GCL_MOTION_INSPECTED, ///< where memory, read before the launch, says
};

struct gcl_motion {
    enum gcl_motion_kind kind;
    unsigned axis;
    bool counts_threads; ///< the unit is that of a thread, else that of a block
    bool is_scattered;   ///< the bytes of a block aren't all in one piece
    bool goes_on;        ///< a block comes again to bytes behind those of the whole grid
    bool by_data;        ///< data decides where the bytes are
    bool is_given;       ///< an argument decides how long the unit is, as that of a row
    int64_t unit;        ///< bytes from one thread or block to the next
    int64_t bytes;       ///< that a thread touches, if the unit is a thread's
    int64_t element;     ///< bytes
    int64_t halo[2];   ///< units before and behind its own; elements, if the unit is a block's and
                       ///< isn't scattered
    const char *width; ///< what the halo's number depends on, NULL: nothing
};

/// "rows y-1 … y+1 (halo 1 row)", "row y and others (halo depends on r)"; to be freed, as all
/// texts of this file.
char *gcl_text_motion(const struct gcl_motion *motion);
/// The name of the argument or variable that a base is.
char *gcl_text_base(const struct gcl_explained_kernel *kernel, uint16_t base);
/// The parameter, or the field of one, at a byte of the packed arguments, as a pragma would name
/// it; NULL if it can't.
char *gcl_text_name(const struct gcl_explained_kernel *kernel, uint32_t offset);
/// Where an access is, as "in[(y - 1)*w + x]": in elements, with the threads of the grid as x, y,
/// z.
char *gcl_text_access(const struct gcl_explained_kernel *kernel, uint16_t access);
/// All accesses and reasons of a kernel's program, a line each.
char *gcl_text_program(const struct gcl_explained_kernel *kernel);
/// A place in the source as "stencil.cu:12:5", "" if it isn't known.
char *gcl_text_place(const struct gcl_explained_kernel *kernel,
                     const struct gcl_source_position *place);

#endif
