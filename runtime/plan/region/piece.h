// Evaluation of access programs over boxes.
//
// A piece is a box of threads, blocks and iterations, with the affine form of everything that an
// access program starts from. Whatever isn't affine over a piece (a quotient, a guard that holds in
// part of it, a wrap-around) asks for the piece to be divided, and the parts are evaluated anew; in
// the end every offset is affine over every piece, and the bytes are an image of a box. What can't
// be divided, because there would be too many parts, becomes a variable of its own that may have
// any value in its range: then the result holds more than what is accessed and is marked.
#ifndef GCL_PLAN_PIECE_H
#define GCL_PLAN_PIECE_H

#include "plan/region/form.h"
#include "plan/region/geometry.h"

enum {
    GCL_PIECE_LOOPS = 8,
    GCL_PIECE_UNKNOWNS = 8,
    GCL_PIECE_ASSUMPTIONS = 8,
};

/// A box of a launch's blocks, or all of them, and the packed arguments.
struct gcl_launch_part {
    const unsigned char *arguments;
    struct gcl_geometry geometry;
    uint32_t begin[3]; ///< first block
    uint32_t end[3];   ///< one behind the last
    /// Bytes from the variables of this process' device to those of the one that runs the blocks.
    int64_t variable_shift;
};

/// What a node stands for besides the numbers of threads and blocks: an iteration or data.
struct gcl_binding {
    uint16_t node; ///< or the guard that enters a loop
    bool is_part;  ///< not what the node is, but a number that it is made from
    struct gcl_form form;
};

/// A condition that can't be known: taken to be either, one piece each.
struct gcl_piece_assumption {
    uint16_t node;
    bool holds;
};

struct gcl_piece {
    struct gcl_box box;
    struct gcl_form thread[3];
    struct gcl_form block[3];
    struct gcl_form global[3]; ///< block index * block size + thread index
    struct gcl_binding loops[GCL_PIECE_LOOPS];
    struct gcl_binding unknowns[GCL_PIECE_UNKNOWNS];
    struct gcl_piece_assumption assumptions[GCL_PIECE_ASSUMPTIONS];
    bool fused[3]; ///< axes of which only `global` is known
    uint8_t loop_count;
    uint8_t unknown_count;
    uint8_t assumption_count;
};

/// Whether each variable has a value at least, and no form has a factor for one that has a single
/// value: for asserts.
bool gcl_piece_is_valid(const struct gcl_piece *piece);

/// How to divide a piece.
enum gcl_subdivision_way {
    GCL_SUBDIVIDE_NOT,
    GCL_SUBDIVIDE_SPLIT, ///< variable at `at`: below, and from there on
    GCL_SUBDIVIDE_RADIX, ///< variable, whose count is a multiple of `at`, = at * variable + another
                         ///< one
    GCL_SUBDIVIDE_FLIP,  ///< the variable runs backwards
    GCL_SUBDIVIDE_EACH,  ///< a piece for each value of the variable
    GCL_SUBDIVIDE_FORK,  ///< the condition of node `at` holds, and it doesn't
};

struct gcl_subdivision {
    enum gcl_subdivision_way way;
    unsigned variable;
    int64_t at;
};

/// All of these blocks as one piece; `fused` axes have only global numbers.
void gcl_piece_init(struct gcl_piece *piece, const struct gcl_launch_part *launch,
                    const bool fused[3]);
/// Copies what is in use of a piece.
void gcl_piece_copy(const struct gcl_piece *piece, struct gcl_piece *copy);
/// A variable that counts from 0 to count - 1; false if all are taken.
bool gcl_piece_variable(struct gcl_piece *piece, int64_t count, struct gcl_form *form);
/// The iteration of the loop that `guard` enters; NULL: the piece has none.
struct gcl_binding *gcl_piece_loop(struct gcl_piece *piece, uint16_t guard);
/// The part of a piece from `from` on, `count` values of variable v.
void gcl_piece_restrict(struct gcl_piece *piece, unsigned v, int64_t from, int64_t count);
/// Carries out a GCL_SUBDIVIDE_RADIX or GCL_SUBDIVIDE_FLIP; false if there is no variable left.
bool gcl_piece_radix(struct gcl_piece *piece, unsigned v, int64_t period);
void gcl_piece_flip(struct gcl_piece *piece, unsigned v);

/// Where in the box `form` <= 0.
enum gcl_verdict {
    GCL_NEVER,
    GCL_ALWAYS,
    GCL_PARTLY, ///< in a part of it: `request` tells how to divide
    GCL_OPEN,   ///< in a part that can't be divided off, or not known
};
enum gcl_verdict gcl_piece_below(const struct gcl_piece *piece, const struct gcl_form *form,
                                 struct gcl_subdivision *request);
/// Where it is 0.
enum gcl_verdict gcl_piece_zero(const struct gcl_piece *piece, const struct gcl_form *form,
                                struct gcl_subdivision *request);

#endif
