// The state in which a look is made; nodes.c and levels.c share it.
#ifndef GCL_DEVICE_LOOK_MAKER_H
#define GCL_DEVICE_LOOK_MAKER_H

#include "device/ir/module.h"
#include "plan/inspect/nest.h"

/// A node in one lane: a number of its width, and whether it is known, of 1 bit.
struct gcl_look_value {
    LLVMValueRef value, known;
};

/// What is read through a window: its fields, and variables of the function for what was read.
struct gcl_look_reading {
    LLVMValueRef bytes, size, shift;
    LLVMValueRef least, greatest;
};

struct gcl_look_maker {
    struct gcl_module *m;
    const struct gcl_nest *nest;
    LLVMBuilderRef builder;
    LLVMValueRef function, look, offsets;
    LLVMBasicBlockRef entry;                ///< where variables are made
    LLVMBasicBlockRef found, missed, late;  ///< ends
    struct gcl_look_value *nodes;           ///< by node of the program
    struct gcl_look_reading *readings;      ///< by load of the nest's origins
    LLVMValueRef counters[GCL_NEST_LEVELS]; ///< what each level counts, 64 bits
    LLVMValueRef has_missed; ///< 1 bit: something that the lane's level reads is in no window
    LLVMValueRef filled, steps, doubtful, sparse; ///< variables of 64 bits
};

/// Computes the nodes of a level for the lane that its counters say, and sets `has_missed`.
void gcl_look_compute_nodes(struct gcl_look_maker *s, unsigned level);
/// A field of struct gcl_look or gcl_look_window, `offset` bytes behind its begin.
LLVMValueRef gcl_look_field(struct gcl_look_maker *s, LLVMTypeRef type, LLVMValueRef begin,
                            size_t offset);
/// The address `offset` bytes behind `begin`.
LLVMValueRef gcl_look_at(struct gcl_look_maker *s, LLVMValueRef begin, LLVMValueRef offset);
/// A new variable of 64 bits.
LLVMValueRef gcl_look_variable(struct gcl_look_maker *s);
LLVMValueRef gcl_look_read(struct gcl_look_maker *s, LLVMValueRef variable);
LLVMValueRef gcl_look_bit(struct gcl_look_maker *s, bool value);

/// Makes all levels of the nest, at the builder's place, and ends the function.
void gcl_look_make_levels(struct gcl_look_maker *s);

#endif
