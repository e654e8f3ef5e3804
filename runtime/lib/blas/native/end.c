// What is done to results of products, a column's at a time, as matmul.cuh says.
#include <math.h>
#include <string.h>

#include "native.h"

enum { PART = 256 }; ///< numbers at a time

static float gelu(float x) {
    return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

static float gelu_slope(float x) {
    float t = tanhf(0.7978845608f * (x + 0.044715f * x * x * x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 0.134145f * x * x);
}

static void floats_copy(const void *in, float *out, int64_t count) {
    memcpy(out, in, (size_t)count * sizeof *out);
}

static void add_bias(const struct gcl_blas_matmul *m, const struct gcl_blas_numbers *numbers,
                     int64_t i, int64_t j, int64_t batch, float *values, int64_t count) {
    gcl_blas_conversion *load = m->is_float ? floats_copy : numbers->load;
    int64_t size = m->is_float ? (int64_t)sizeof(float) : numbers->out_size;
    const char *bias = (const char *)m->bias +
                       size * (i * m->bias_row + j * m->bias_column + batch * m->bias_batch);
    float read[PART];
    load(bias, read, m->bias_row ? count : 1);
    for (int64_t e = 0; e < count; e++)
        values[e] += read[m->bias_row ? e : 0];
}

static void activate(const struct gcl_blas_matmul *m, float *values, int64_t count) {
    for (int64_t e = 0; e < count; e++) {
        if (m->activation == GCL_BLAS_GELU)
            values[e] = gelu(values[e]);
        else if (m->activation == GCL_BLAS_RELU && values[e] < 0)
            values[e] = 0;
    }
}

// Elements of `beside` lie side by side in a column where D's do.
static void end_part(const struct gcl_blas_matmul *m, const struct gcl_blas_numbers *numbers,
                     int64_t i, int64_t j, int64_t batch, float *values, int64_t count) {
    void *beside = gcl_blas_element(&m->beside, i, j, batch, numbers->out_size);
    if (m->bias)
        add_bias(m, numbers, i, j, batch, values, count);
    if (m->activation == GCL_BLAS_GELU_SLOPE) {
        float before[PART];
        numbers->load(beside, before, count);
        for (int64_t e = 0; e < count; e++)
            values[e] *= gelu_slope(before[e]);
        return;
    }
    if (m->beside.at)
        numbers->store(values, beside, count);
    activate(m, values, count);
}

void gcl_blas_end(const struct gcl_blas_matmul *matmul, const struct gcl_blas_numbers *numbers,
                  int64_t i, int64_t j, int64_t batch, float *values, int64_t count) {
    for (int64_t e = 0; e < count; e += PART)
        end_part(matmul, numbers, i + e, j, batch, values + e, gcl_blas_least(PART, count - e));
}
