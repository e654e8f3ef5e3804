// Sums and multiples of what is the same in all lanes are the same in all lanes, so that
// differences between lanes stay known where the values themselves aren't: `blockIdx.x * blockDim.x
// + threadIdx.x` counts up by 1 from lane to lane, wherever it begins. Quotients and remainders are
// known where the unknown part is a multiple of the divisor, as a warp's first thread is of 32.
//
// A product with a value that isn't known keeps that as a factor, so that `threadIdx.x * pitch` is
// told from what isn't known at all.
#include "frontend/lint/lanes.h"

#include <stdlib.h>

static const int64_t LIMIT = INT64_C(1) << 40; // far from overflow, and beyond any index

struct gcl_lanes gcl_lanes_number(int64_t number) {
    struct gcl_lanes lanes = {.is_known = llabs(number) < LIMIT};
    for (int i = 0; i < GCL_LANES; i++)
        lanes.at[i] = number;
    return lanes;
}

struct gcl_lanes gcl_lanes_uniform(void) {
    return (struct gcl_lanes){.is_known = true, .unit = 1};
}

bool gcl_lanes_are_uniform(const struct gcl_lanes *lanes) {
    for (int i = 1; i < GCL_LANES; i++) {
        if (lanes->at[i] != lanes->at[0])
            return false;
    }
    return lanes->is_known;
}

// Whether all lanes have one value that is known.
static bool are_number(const struct gcl_lanes *lanes) {
    return gcl_lanes_are_uniform(lanes) && lanes->unit == 0;
}

static int64_t common_unit(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool have_factors(const struct gcl_lanes *lanes) {
    return lanes->factor_count > 0;
}

bool gcl_lanes_have_distance(const struct gcl_lanes *lanes) {
    return lanes->is_known || have_factors(lanes);
}

struct gcl_lanes gcl_lanes_scale(const struct gcl_lanes *lanes, int64_t factor) {
    struct gcl_lanes product = *lanes;
    bool fits = gcl_lanes_have_distance(lanes) && llabs(factor) < LIMIT &&
                !__builtin_mul_overflow(lanes->unit, llabs(factor), &product.unit) &&
                product.unit < LIMIT;
    for (int i = 0; i < GCL_LANES && fits; i++)
        fits = !__builtin_mul_overflow(lanes->at[i], factor, &product.at[i]) &&
               llabs(product.at[i]) < LIMIT;
    if (!fits)
        return (struct gcl_lanes){0};
    return factor == 0 ? gcl_lanes_number(0) : product;
}

struct gcl_lanes gcl_lanes_multiply(const struct gcl_lanes *lanes, CXCursor factor) {
    struct gcl_lanes product = *lanes;
    if (!gcl_lanes_have_distance(lanes) || lanes->factor_count == GCL_FACTORS)
        return (struct gcl_lanes){0};
    product.is_known = false;
    product.unit = 0;
    product.factors[product.factor_count++] = factor;
    return product;
}

static struct gcl_lanes add(const struct gcl_lanes *left, const struct gcl_lanes *right,
                            int64_t sign) {
    struct gcl_lanes sum = {.is_known = true, .unit = common_unit(left->unit, right->unit)};
    for (int i = 0; i < GCL_LANES; i++) {
        sum.at[i] = left->at[i] + sign * right->at[i];
        sum.is_known &= llabs(sum.at[i]) < LIMIT;
    }
    return sum;
}

// A quotient or remainder by a positive number, rounded down where it was negative: such indices
// aren't looked at.
static struct gcl_lanes divide(const struct gcl_lanes *left, int64_t divisor, bool takes_rest) {
    struct gcl_lanes result = {.is_known = divisor > 0 && left->unit % divisor == 0};
    for (int i = 0; i < GCL_LANES && result.is_known; i++) {
        result.is_known = left->at[i] >= 0;
        result.at[i] = takes_rest ? left->at[i] % divisor : left->at[i] / divisor;
    }
    if (result.is_known && !takes_rest)
        result.unit = left->unit / divisor;
    return result;
}

static int64_t combine(enum CXBinaryOperatorKind operation, int64_t a, int64_t b) {
    return operation == CXBinaryOperator_And  ? a & b
           : operation == CXBinaryOperator_Or ? a | b
                                              : a ^ b;
}

// What has no unknown part is combined lane by lane.
static struct gcl_lanes combine_bits(enum CXBinaryOperatorKind operation,
                                     const struct gcl_lanes *left, const struct gcl_lanes *right) {
    struct gcl_lanes result = {.is_known = left->unit == 0 && right->unit == 0};
    for (int i = 0; i < GCL_LANES && result.is_known; i++)
        result.at[i] = combine(operation, left->at[i], right->at[i]);
    return result;
}

static struct gcl_lanes apply_number(enum CXBinaryOperatorKind operation,
                                     const struct gcl_lanes *left, int64_t number) {
    bool is_shift = number >= 0 && number < 32;
    switch (operation) {
    case CXBinaryOperator_Mul:
        return gcl_lanes_scale(left, number);
    case CXBinaryOperator_Shl:
        return is_shift ? gcl_lanes_scale(left, INT64_C(1) << number) : (struct gcl_lanes){0};
    case CXBinaryOperator_Div:
        return divide(left, number, false);
    case CXBinaryOperator_Shr:
        return is_shift ? divide(left, INT64_C(1) << number, false) : (struct gcl_lanes){0};
    case CXBinaryOperator_Rem:
        return divide(left, number, true);
    case CXBinaryOperator_And:
        if (number > 0 && (number & (number + 1)) == 0)
            return divide(left, number + 1, true);
        break;
    default:
        break;
    }
    return (struct gcl_lanes){0};
}

static bool combines_bits(enum CXBinaryOperatorKind operation) {
    return operation >= CXBinaryOperator_And && operation <= CXBinaryOperator_Or;
}

// Whether the result follows from both values alone: what assigns isn't looked at.
static bool is_plain(enum CXBinaryOperatorKind operation) {
    return operation >= CXBinaryOperator_Mul && operation <= CXBinaryOperator_LOr;
}

// What an operator makes of two values of which one has factors.
static struct gcl_lanes apply_factors(enum CXBinaryOperatorKind operation,
                                      const struct gcl_lanes *left, const struct gcl_lanes *right) {
    bool is_sum = operation == CXBinaryOperator_Add || operation == CXBinaryOperator_Sub;
    bool is_product = operation == CXBinaryOperator_Mul;
    if (is_sum && have_factors(left) && gcl_lanes_are_uniform(right))
        return *left;
    if (is_sum && have_factors(right) && gcl_lanes_are_uniform(left))
        return gcl_lanes_scale(right, operation == CXBinaryOperator_Add ? 1 : -1);
    if (is_product && have_factors(left) && are_number(right))
        return gcl_lanes_scale(left, right->at[0]);
    if (is_product && have_factors(right) && are_number(left))
        return gcl_lanes_scale(right, left->at[0]);
    return (struct gcl_lanes){0};
}

struct gcl_lanes gcl_lanes_apply(enum CXBinaryOperatorKind operation, const struct gcl_lanes *left,
                                 const struct gcl_lanes *right) {
    struct gcl_lanes result = {0};
    if (have_factors(left) || have_factors(right))
        return apply_factors(operation, left, right);
    if (!left->is_known || !right->is_known || !is_plain(operation))
        return result;
    if (operation == CXBinaryOperator_Add || operation == CXBinaryOperator_Sub)
        return add(left, right, operation == CXBinaryOperator_Add ? 1 : -1);
    if (are_number(right))
        result = apply_number(operation, left, right->at[0]);
    else if (operation == CXBinaryOperator_Mul && are_number(left))
        result = gcl_lanes_scale(right, left->at[0]);
    if (!result.is_known && combines_bits(operation))
        result = combine_bits(operation, left, right);
    if (!result.is_known && gcl_lanes_are_uniform(left) && gcl_lanes_are_uniform(right))
        result = gcl_lanes_uniform();
    return result;
}
