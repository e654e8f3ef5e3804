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
