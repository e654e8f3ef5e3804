// The steps that the decoder puts into operations, by group. Arithmetic is found by type: an array
// holds for each enum ptx_type the step, or NULL.
#ifndef PTX_EXECUTE_STEPS_H
#define PTX_EXECUTE_STEPS_H

#include "../module.h"

/// Special registers: the first five have axes.
#define PTX_SPECIALS(X)                                                                            \
    X(TID, "%tid")                                                                                 \
    X(NTID, "%ntid")                                                                               \
    X(CTAID, "%ctaid")                                                                             \
    X(NCTAID, "%nctaid")                                                                           \
    X(LANEID, "%laneid")                                                                           \
    X(WARPID, "%warpid")                                                                           \
    X(NWARPID, "%nwarpid")                                                                         \
    X(SMID, "%smid")                                                                               \
    X(NSMID, "%nsmid")                                                                             \
    X(GRIDID, "%gridid")                                                                           \
    X(LANEMASK_EQ, "%lanemask_eq")                                                                 \
    X(LANEMASK_LE, "%lanemask_le")                                                                 \
    X(LANEMASK_LT, "%lanemask_lt")                                                                 \
    X(LANEMASK_GE, "%lanemask_ge")                                                                 \
    X(LANEMASK_GT, "%lanemask_gt")                                                                 \
    X(CLOCK, "%clock")                                                                             \
    X(CLOCK_HI, "%clock_hi")                                                                       \
    X(CLOCK64, "%clock64")                                                                         \
    X(GLOBALTIMER, "%globaltimer")                                                                 \
    X(GLOBALTIMER_LO, "%globaltimer_lo")                                                           \
    X(GLOBALTIMER_HI, "%globaltimer_hi")                                                           \
    X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size")                                                     \
    X(TOTAL_SMEM_SIZE, "%total_smem_size")

enum ptx_special {
#define X(name, text) PTX_SPECIAL_##name,
    PTX_SPECIALS(X)
#undef X
};

/// How an access orders others: `kind` of loads, stores and fences.
enum ptx_order { PTX_WEAK, PTX_RELAXED, PTX_ORDERED };

/// `kind` of atomic operations.
enum ptx_atomic {
    PTX_ATOMIC_ADD,
    PTX_ATOMIC_MIN,
    PTX_ATOMIC_MAX,
    PTX_ATOMIC_INC,
    PTX_ATOMIC_DEC,
    PTX_ATOMIC_AND,
    PTX_ATOMIC_OR,
    PTX_ATOMIC_XOR,
    PTX_ATOMIC_EXCH,
    PTX_ATOMIC_CAS
};

/// `kind` of barriers; the last three are reductions.
enum ptx_barrier_kind {
    PTX_BARRIER_SYNC,
    PTX_BARRIER_ARRIVE,
    PTX_BARRIER_POPC,
    PTX_BARRIER_AND,
    PTX_BARRIER_OR
};

typedef ptx_step *const ptx_steps[PTX_TYPE_COUNT];

// integer.c
extern ptx_steps ptx_add, ptx_sub, ptx_mul_lo, ptx_mul_hi, ptx_mul_wide, ptx_mad_lo, ptx_mad_hi,
    ptx_mad_wide, ptx_div, ptx_rem, ptx_min, ptx_max, ptx_neg, ptx_abs, ptx_sad, ptx_mul24_lo,
    ptx_mul24_hi, ptx_mad24_lo, ptx_mad24_hi, ptx_add_cc, ptx_addc, ptx_addc_cc, ptx_sub_cc,
    ptx_subc, ptx_subc_cc, ptx_mad_lo_cc, ptx_mad_hi_cc, ptx_madc_lo, ptx_madc_lo_cc, ptx_madc_hi,
    ptx_madc_hi_cc, ptx_dp4a, ptx_dp2a_lo, ptx_dp2a_hi;
// bits.c
extern ptx_steps ptx_and, ptx_or, ptx_xor, ptx_not, ptx_cnot, ptx_shl, ptx_shr, ptx_popc, ptx_clz,
    ptx_brev, ptx_bfind, ptx_bfind_shift, ptx_bfe, ptx_bfi, ptx_fns, ptx_szext_clamp,
    ptx_szext_wrap;
ptx_step ptx_step_lop3, ptx_step_prmt, ptx_step_shf_l_wrap, ptx_step_shf_l_clamp,
    ptx_step_shf_r_wrap, ptx_step_shf_r_clamp, ptx_step_bmsk_clamp, ptx_step_bmsk_wrap;
extern ptx_steps ptx_prmt_f4e, ptx_prmt_b4e, ptx_prmt_rc8, ptx_prmt_ecl, ptx_prmt_ecr,
    ptx_prmt_rc16;
// real.c
extern ptx_steps ptx_add_real, ptx_sub_real, ptx_mul_real, ptx_fma_real, ptx_div_real,
    ptx_div_approx, ptx_sqrt, ptx_rcp, ptx_min_real, ptx_max_real, ptx_min_nan, ptx_max_nan,
    ptx_neg_real, ptx_abs_real, ptx_copysign, ptx_testp_finite, ptx_testp_infinite,
    ptx_testp_number, ptx_testp_notanumber, ptx_testp_normal, ptx_testp_subnormal;
// function.c
extern ptx_steps ptx_rsqrt, ptx_sin, ptx_cos, ptx_lg2, ptx_ex2, ptx_tanh;
// half.c
extern ptx_steps ptx_add_half, ptx_sub_half, ptx_mul_half, ptx_fma_half, ptx_min_half, ptx_max_half,
    ptx_min_nan_half, ptx_max_nan_half, ptx_neg_half, ptx_abs_half;
// move.c
extern ptx_steps ptx_selp;
ptx_step ptx_step_move, ptx_step_pack, ptx_step_unpack, ptx_step_special, ptx_step_address,
    ptx_step_predicate_not, ptx_step_select_32, ptx_step_add_64, ptx_step_slct, ptx_step_isspacep;
extern ptx_steps ptx_slct;
// convert.c
ptx_step ptx_step_convert;
/// A faster step for that conversion than ptx_step_convert, or ptx_step_convert.
ptx_step *ptx_choose_convert(const struct ptx_op *op);
// compare.c
ptx_step *ptx_choose_setp(enum ptx_type type);
// memory.c, atomic.c
ptx_step ptx_step_load, ptx_step_store, ptx_step_load_parameter, ptx_step_atomic, ptx_step_fence,
    ptx_step_nothing;
// control.c
ptx_step ptx_step_join, ptx_step_branch, ptx_step_branch_indexed, ptx_step_call, ptx_step_return,
    ptx_step_exit, ptx_step_trap, ptx_step_breakpoint, ptx_step_yield;
// builtin.c
ptx_step ptx_step_vprintf, ptx_step_assertfail, ptx_step_malloc, ptx_step_free;
// barrier.c
ptx_step ptx_step_barrier;
// together.c
ptx_step ptx_step_lanes, ptx_step_activemask;

struct ptx_lanes;
/// What lanes of a mask do together: `form` has t for an operand of the type, p, 4; the last one is
/// the mask.
struct ptx_lanes_row {
    const char *name, *form;
    uint32_t types; ///< bit 1 << enum ptx_type
    bool has_result, is_b32;
    void (*compute)(struct ptx_lanes *lanes, uint32_t members);
};
/// Ends in a row without name.
extern const struct ptx_lanes_row ptx_lanes_rows[];

#endif
