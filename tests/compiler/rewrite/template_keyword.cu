// Names of templates in classes that depend on arguments, without `template`, which nvcc takes.
// RUN: %gcluster-cc -O1 %s -o %t 2>&1 | count 0
// RUN: %t
template <class To, class From> struct cast_of {
    template <int n> static __host__ __device__ int cast(To *to, const From *from) {
        for (int i = 0; i < n; i++)
            to[i] = static_cast<To>(from[i]);
        return n;
    }
};

template <class T> struct shifted {
    T value;
    template <int by> __host__ __device__ T get() const {
        return value + by;
    }
};

template <class T, int n> __global__ void run(shifted<T> s, int *out, const T *in) {
    int cast = cast_of<int, T>::cast<n>(out, in); // the name of another thing, too
    out[cast] = cast < n ? -1 : s.get<n>() + s.get<1>();
    cast_of<int, T>::cast<1>(out + n + 1, in);
}

template <class T> int on_host(const shifted<T> *s) {
    return s->get<3>();
}

int main() {
    float host[] = {4, 5, 6}, *in;
    int result[5], *out;
    shifted<float> s = {10};
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    run<float, 3><<<1, 1>>>(s, out, in);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    bool right = result[0] == 4 && result[2] == 6 && result[3] == 13 + 11 && result[4] == 4;
    return !right || on_host(&s) != 13;
}
