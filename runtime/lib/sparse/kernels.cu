// The kernels, and where host code finds them.
#include "sparse/kernels.h"

template <class Number> struct arithmetic {
    __device__ static Number from(const gcl_sparse_factor &f) {
        return f.at ? *static_cast<const Number *>(f.at) : static_cast<Number>(f.value[0]);
    }
    __device__ static Number add_product(Number sum, Number a, Number b) {
        return sum + a * b;
    }
    __device__ static Number zero() {
        return 0;
    }
};

template <class Number, class Part> struct complex_arithmetic {
    __device__ static Number make(Part x, Part y) {
        Number number;
        number.x = x;
        number.y = y;
        return number;
    }
    __device__ static Number from(const gcl_sparse_factor &f) {
        return f.at ? *static_cast<const Number *>(f.at)
                    : make(static_cast<Part>(f.value[0]), static_cast<Part>(f.value[1]));
    }
    __device__ static Number add_product(Number sum, Number a, Number b) {
        return make(sum.x + a.x * b.x - a.y * b.y, sum.y + a.x * b.y + a.y * b.x);
    }
    __device__ static Number zero() {
        return make(0, 0);
    }
};
template <> struct arithmetic<float2> : complex_arithmetic<float2, float> {};
template <> struct arithmetic<double2> : complex_arithmetic<double2, double> {};

template <class Index, class Number> __global__ void cusparse_csr_product(gcl_sparse_product p) {
    typedef arithmetic<Number> with;
    int64_t row = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (row >= p.rows)
        return;
    const Index *offsets = static_cast<const Index *>(p.offsets);
    const Index *indices = static_cast<const Index *>(p.indices);
    const Number *values = static_cast<const Number *>(p.values);
    const Number *b = static_cast<const Number *>(p.b) + blockIdx.y * p.b_column;
    Number *c = static_cast<Number *>(p.c) + row * p.c_row + blockIdx.y * p.c_column;
    Number sum = with::zero();
    for (int64_t k = offsets[row] - p.base; k < offsets[row + 1] - p.base; k++)
        sum = with::add_product(sum, values[k], b[(indices[k] - p.base) * p.b_row]);
    Number result = with::add_product(with::zero(), with::from(p.alpha), sum);
    if (p.reads_c)
        result = with::add_product(result, with::from(p.beta), *c);
    *c = result;
}

#define ROW(name, Number)                                                                          \
    {reinterpret_cast<const void *>(cusparse_csr_product<int32_t, Number>),                        \
     reinterpret_cast<const void *>(cusparse_csr_product<int64_t, Number>)},
extern "C" const void *const gcl_sparse_csr_products[][2] = {GCL_SPARSE_NUMBERS(ROW)};
