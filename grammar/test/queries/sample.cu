#define N 256
#pragma gcluster split(x)
template <typename T> __global__ void scale(T *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2; // twice
}

struct point {
    float x, y;
    float norm() const { return sqrtf(x * x + y * y); }
};

HOST_DEVICE int clamp(int &v) {
    return std::max(v, 0);
}

int main() {
    for (auto &p : points)
        p.norm();
    scale<float><<<1, N>>>(a, N);
#if 0
    never
#endif
    const char *text = R"sql(select)sql";
}

template <> __device__ float *matrix::row<float>(int i) const { return rows[i]; }
template <> int &first<int>(int *a) { return *a; }
float (*pick)(float) = sqrtf;
__host__ __device__ bool operator<(point a, point b) { return a.x < b.x and a.y < b.y; }
void inner::point::move(void (*by)(point *)) {
    dim3 grid(n);
    void (*then)(int);
    kernels::scale<<<grid, 1>>>(a, n);
}
