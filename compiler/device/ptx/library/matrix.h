// Products of small matrices that a warp holds together, and what moves such matrices.
//
// mma.sync: lane l is number l % 4 of group l / 4. In registers of A a group holds row l / 4, and
// in those behind, row l / 4 + 8; of B it holds column l / 4; each lane of it has a word of the
// first quarter of what a register of the group holds, along the inner dimension, and so on
// (PTX ISA, "Matrix Fragments for mma"). So a lane, which computes columns 2 (l % 4) and the next
// one of its group's rows, needs all words of its own group, and those of two groups of B.

extern uint64_t __gcl_warp_shuffle(uint32_t mask, uint64_t value, uint32_t lane);
extern void __gcl_warp_sync(uint32_t mask);
extern uint32_t __gcl_thread(void);

enum { ALL_LANES = -1 };
#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t lane_number(void) {
    return __gcl_thread() & 31;
}
INLINE uint64_t from_lane(uint64_t value, uint32_t lane) {
    return __gcl_warp_shuffle((uint32_t)ALL_LANES, value, lane & 31);
}
/// Two words of a lane, the first one low.
INLINE uint64_t pair_of(const uint32_t *words, unsigned count, unsigned at) {
    return at + 1 < count ? both(words[at], words[at + 1]) : words[at];
}

/// The words that lane `lane` has in `count` registers, at most four.
INLINE void fetch(uint32_t *to, const uint32_t *words, unsigned count, uint32_t lane) {
    for (unsigned i = 0; i < count; i += 2) {
        uint64_t two = from_lane(pair_of(words, count, i), lane);
        to[i] = (uint32_t)two;
        if (i + 1 < count)
            to[i + 1] = (uint32_t)(two >> 32);
    }
}

// What words hold: `sum` and numbers of both words multiplied and added.
typedef float real_dot(float sum, uint32_t a, uint32_t b);
typedef int32_t whole_dot(int32_t sum, uint32_t a, uint32_t b);

INLINE float dot_f16(float sum, uint32_t a, uint32_t b) {
    sum += from_half((uint16_t)a) * from_half((uint16_t)b);
    return sum + from_half((uint16_t)(a >> 16)) * from_half((uint16_t)(b >> 16));
}
INLINE float dot_bf16(float sum, uint32_t a, uint32_t b) {
    sum += from_brain((uint16_t)a) * from_brain((uint16_t)b);
    return sum + from_brain((uint16_t)(a >> 16)) * from_brain((uint16_t)(b >> 16));
}
INLINE float dot_tf32(float sum, uint32_t a, uint32_t b) {
    return sum + from_bits(a & 0xffffe000) * from_bits(b & 0xffffe000);
}
#define WHOLE_DOT(name, bits, a_signed, b_signed)                                                  \
    INLINE int32_t dot_##name(int32_t sum, uint32_t a, uint32_t b) {                               \
        for (unsigned i = 0; i < 32 / bits; i++)                                                   \
            sum += part(a, i, bits, a_signed) * part(b, i, bits, b_signed);                        \
        return sum;                                                                                \
    }
WHOLE_DOT(s8_s8, 8, true, true)
WHOLE_DOT(s8_u8, 8, true, false)
WHOLE_DOT(u8_s8, 8, false, true)
WHOLE_DOT(u8_u8, 8, false, false)
WHOLE_DOT(s4_s4, 4, true, true)
WHOLE_DOT(s4_u4, 4, true, false)
WHOLE_DOT(u4_s4, 4, false, true)
WHOLE_DOT(u4_u4, 4, false, false)
INLINE int32_t dot_and(int32_t sum, uint32_t a, uint32_t b) {
    return sum + __builtin_popcount(a & b);
}
INLINE int32_t dot_xor(int32_t sum, uint32_t a, uint32_t b) {
    return sum + __builtin_popcount(a ^ b);
}

/// Goes through the four lanes of the groups whose words a lane needs: of A, those of its own, one
/// or two rows, row by row within each register of the inner dimension, which is `depth` registers
/// long; of B, of two columns. A loop that stays one keeps the code of a product short.
#define FOR_LANES(rows, depth, do)                                                                 \
    uint32_t lane = lane_number(), of_a[4], of_b[2][2];                                            \
    _Pragma("clang loop unroll(disable)") for (unsigned l = 0; l < 4; l++) {                       \
        fetch(of_a, a, rows *depth, lane / 4 * 4 + l);                                             \
        fetch(of_b[0], b, depth, lane % 4 * 8 + l);                                                \
        fetch(of_b[1], b, depth, lane % 4 * 8 + 4 + l);                                            \
        for (unsigned r = 0; r < rows; r++) {                                                      \
            for (unsigned c = 0; c < 2; c++) {                                                     \
                for (unsigned d = 0; d < depth; d++)                                               \
                    do                                                                             \
                        ;                                                                          \
            }                                                                                      \
        }                                                                                          \
    }

INLINE void multiply_real(float *sums, const uint32_t *a, const uint32_t *b, unsigned rows,
                          unsigned depth, real_dot *dot){
    FOR_LANES(rows, depth, sums[2 * r + c] = dot(sums[2 * r + c], of_a[rows * d + r], of_b[c][d]))}

INLINE void multiply_whole(uint32_t *sums, const uint32_t *a, const uint32_t *b, unsigned rows,
                           unsigned depth, whole_dot *dot, bool saturates) {
    int32_t products[4] = {0}; // sums of so few small numbers can't be too large
    FOR_LANES(rows, depth,
              products[2 * r + c] = dot(products[2 * r + c], of_a[rows * d + r], of_b[c][d]))
    for (unsigned i = 0; i < 2 * rows; i++) {
        int64_t sum = (int64_t)(int32_t)sums[i] + products[i];
        int64_t most = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        sums[i] = (uint32_t)(saturates ? most : sum);
    }
}

// Parameters of two to four registers.
#define WORDS_1(x) uint32_t x##0
#define WORDS_2(x) uint32_t x##0, uint32_t x##1
#define WORDS_4(x) uint32_t x##0, uint32_t x##1, uint32_t x##2, uint32_t x##3
#define NAMES_1(x) x##0
#define NAMES_2(x) x##0, x##1
#define NAMES_4(x) x##0, x##1, x##2, x##3

/// Results of 32 bits: `as` of A, `bs` of B registers; B's are the depth.
#define MMA_F32(name, as, bs, rows, dot)                                                           \
    INSTRUCTION(void, mma_##name)                                                                  \
    (float *d, WORDS_##as(a), WORDS_##bs(b), float c0, float c1, float c2, float c3) {             \
        const uint32_t a[] = {NAMES_##as(a)}, b[] = {NAMES_##bs(b)};                               \
        float sums[] = {c0, c1, c2, c3};                                                           \
        multiply_real(sums, a, b, rows, bs, dot);                                                  \
        for (unsigned i = 0; i < 4; i++)                                                           \
            d[i] = sums[i];                                                                        \
    }
MMA_F32(m16n8k8_row_col_f32_f16_f16_f32, 2, 1, 2, dot_f16)
MMA_F32(m16n8k16_row_col_f32_f16_f16_f32, 4, 2, 2, dot_f16)
MMA_F32(m16n8k8_row_col_f32_bf16_bf16_f32, 2, 1, 2, dot_bf16)
MMA_F32(m16n8k16_row_col_f32_bf16_bf16_f32, 4, 2, 2, dot_bf16)
MMA_F32(m16n8k4_row_col_f32_tf32_tf32_f32, 2, 1, 2, dot_tf32)
MMA_F32(m16n8k8_row_col_f32_tf32_tf32_f32, 4, 2, 2, dot_tf32)

/// Two results of 16 bits a register.
#define MMA_F16(name, as, bs, rows, dot)                                                           \
    INSTRUCTION(void, mma_##name)                                                                  \
    (uint32_t *d, WORDS_##as(a), WORDS_##bs(b), uint32_t c0, uint32_t c1) {                        \
        const uint32_t a[] = {NAMES_##as(a)}, b[] = {NAMES_##bs(b)};                               \
        float sums[] = {from_half((uint16_t)c0), from_half((uint16_t)(c0 >> 16)),                  \
                        from_half((uint16_t)c1), from_half((uint16_t)(c1 >> 16))};                 \
        multiply_real(sums, a, b, rows, bs, dot);                                                  \
        for (unsigned i = 0; i < 2; i++)                                                           \
            d[i] = (uint32_t)to_half(sums[2 * i + 1]) << 16 | to_half(sums[2 * i]);                \
    }
MMA_F16(m16n8k8_row_col_f16_f16_f16_f16, 2, 1, 2, dot_f16)
MMA_F16(m16n8k16_row_col_f16_f16_f16_f16, 4, 2, 2, dot_f16)

#define MMA_S32(name, as, bs, rows, dot, saturates)                                                \
    INSTRUCTION(void, mma_##name)                                                                  \
    (uint32_t *d, WORDS_##as(a), WORDS_##bs(b), SUMS_##rows(uint32_t)) {                           \
        const uint32_t a[] = {NAMES_##as(a)}, b[] = {NAMES_##bs(b)};                               \
        uint32_t sums[] = {SUM_NAMES_##rows};                                                      \
        multiply_whole(sums, a, b, rows, bs, dot, saturates);                                      \
        for (unsigned i = 0; i < 2 * rows; i++)                                                    \
            d[i] = sums[i];                                                                        \
    }
#define SUMS_1(type) type c0, type c1
#define SUMS_2(type) type c0, type c1, type c2, type c3
#define SUM_NAMES_1 c0, c1
#define SUM_NAMES_2 c0, c1, c2, c3
#define MMA_INTEGERS(a, b, small, middle, large)                                                   \
    MMA_S32(m8n8##small##_row_col_s32_##a##_##b##_s32, 1, 1, 1, dot_##a##_##b, false)              \
    MMA_S32(m8n8##small##_row_col_satfinite_s32_##a##_##b##_s32, 1, 1, 1, dot_##a##_##b, true)     \
    MMA_S32(m16n8##middle##_row_col_s32_##a##_##b##_s32, 2, 1, 2, dot_##a##_##b, false)            \
    MMA_S32(m16n8##middle##_row_col_satfinite_s32_##a##_##b##_s32, 2, 1, 2, dot_##a##_##b, true)   \
    MMA_S32(m16n8##large##_row_col_s32_##a##_##b##_s32, 4, 2, 2, dot_##a##_##b, false)             \
    MMA_S32(m16n8##large##_row_col_satfinite_s32_##a##_##b##_s32, 4, 2, 2, dot_##a##_##b, true)
MMA_INTEGERS(s8, s8, k16, k16, k32)
MMA_INTEGERS(s8, u8, k16, k16, k32)
MMA_INTEGERS(u8, s8, k16, k16, k32)
MMA_INTEGERS(u8, u8, k16, k16, k32)
MMA_INTEGERS(s4, s4, k32, k32, k64)
MMA_INTEGERS(s4, u4, k32, k32, k64)
MMA_INTEGERS(u4, s4, k32, k32, k64)
MMA_INTEGERS(u4, u4, k32, k32, k64)
#define MMA_BITS(operation)                                                                        \
    MMA_S32(m8n8k128_row_col_s32_b1_b1_s32_##operation##_popc, 1, 1, 1, dot_##operation, false)    \
    MMA_S32(m16n8k128_row_col_s32_b1_b1_s32_##operation##_popc, 2, 1, 2, dot_##operation, false)   \
    MMA_S32(m16n8k256_row_col_s32_b1_b1_s32_##operation##_popc, 4, 2, 2, dot_##operation, false)
MMA_BITS(and)
MMA_BITS(xor)

/// Each lane has one number of A and of B.
INSTRUCTION(void, mma_m8n8k4_row_col_f64_f64_f64_f64)(double *d, double a, double b, double c0,
                                                      double c1) {
    uint32_t lane = lane_number();
    uint64_t row = __builtin_bit_cast(uint64_t, a), column = __builtin_bit_cast(uint64_t, b);
    double sums[] = {c0, c1};
    for (unsigned l = 0; l < 4; l++) {
        double x = __builtin_bit_cast(double, from_lane(row, lane / 4 * 4 + l));
        for (unsigned c = 0; c < 2; c++) {
            uint64_t y = from_lane(column, 4 * (2 * (lane % 4) + c) + l);
            sums[c] = __builtin_fma(x, __builtin_bit_cast(double, y), sums[c]);
        }
    }
    d[0] = sums[0];
    d[1] = sums[1];
}

// --- ldmatrix, stmatrix, movmatrix: matrices of 8 rows of 8 numbers of 16 bits. Lane 8 i + r has
// the address of row r of matrix i; lane l holds numbers 2 (l % 4) and the next of row l / 4.

INLINE const uint16_t *row_of(const void *at, unsigned matrix, uint32_t row) {
    uint64_t address = from_lane((uint64_t)(uintptr_t)at, 8 * matrix + row);
    return (const uint16_t *)(uintptr_t)address;
}
INLINE uint32_t load_words(const void *at, unsigned matrix) {
    uint32_t lane = lane_number();
    const uint16_t *row = row_of(at, matrix, lane / 4) + 2 * (lane % 4);
    return (uint32_t)row[1] << 16 | row[0];
}
INLINE uint32_t load_columns(const void *at, unsigned matrix) {
    uint32_t lane = lane_number();
    const uint16_t *first = row_of(at, matrix, 2 * (lane % 4));
    const uint16_t *second = row_of(at, matrix, 2 * (lane % 4) + 1);
    return (uint32_t)second[lane / 4] << 16 | first[lane / 4];
}
INLINE void store_words(void *at, unsigned matrix, uint32_t words) {
    uint32_t lane = lane_number();
    uint16_t *row = (uint16_t *)row_of(at, matrix, lane / 4) + 2 * (lane % 4);
    row[0] = (uint16_t)words;
    row[1] = (uint16_t)(words >> 16);
}
INLINE void store_columns(void *at, unsigned matrix, uint32_t words) {
    uint32_t lane = lane_number();
    uint16_t *first = (uint16_t *)row_of(at, matrix, 2 * (lane % 4));
    uint16_t *second = (uint16_t *)row_of(at, matrix, 2 * (lane % 4) + 1);
    first[lane / 4] = (uint16_t)words;
    second[lane / 4] = (uint16_t)(words >> 16);
}

/// All lanes have read, or have written, before one goes on.
#define LOAD_MATRIX(count, trans, load)                                                            \
    INSTRUCTION(void, ldmatrix_m8n8_x##count##trans##_b16)(uint32_t *d, const void *at) {          \
        for (unsigned i = 0; i < count; i++)                                                       \
            d[i] = load(at, i);                                                                    \
        __gcl_warp_sync((uint32_t)ALL_LANES);                                                      \
    }
#define STORE_MATRIX(count, trans, store)                                                          \
    INSTRUCTION(void, stmatrix_m8n8_x##count##trans##_b16)(void *at, WORDS_##count(a)) {           \
        const uint32_t a[] = {NAMES_##count(a)};                                                   \
        for (unsigned i = 0; i < count; i++)                                                       \
            store(at, i, a[i]);                                                                    \
        __gcl_warp_sync((uint32_t)ALL_LANES);                                                      \
    }
#define MATRICES(count)                                                                            \
    LOAD_MATRIX(count, , load_words)                                                               \
    LOAD_MATRIX(count, _trans, load_columns)                                                       \
    STORE_MATRIX(count, , store_words)                                                             \
    STORE_MATRIX(count, _trans, store_columns)
MATRICES(1)
MATRICES(2)
MATRICES(4)

INSTRUCTION(uint32_t, movmatrix_m8n8_trans_b16)(uint32_t x) {
    uint32_t lane = lane_number(), row = 2 * (lane % 4), column = lane / 4;
    uint32_t low = (uint32_t)from_lane(x, 4 * row + column / 2);
    uint32_t high = (uint32_t)from_lane(x, 4 * (row + 1) + column / 2);
    unsigned half = 16 * (column % 2);
    return (low >> half & 0xffff) | (high >> half) << 16;
}
