// Objects with virtual functions, and pointers to functions, members and texts, that one launch
// leaves in memory and others find there, on other nodes; pointers that the host fetches.
#include <cstdio>
#include <new>

struct Shape {
    int side;
    __device__ explicit Shape(int side) : side(side) {
    }
    __device__ virtual ~Shape() {
    }
    __device__ virtual int area(int scale) const = 0;
    __device__ virtual const char *name() const {
        return "shape";
    }
};
struct Square : Shape {
    using Shape::Shape;
    __device__ int area(int scale) const override {
        return side * side + scale;
    }
};
struct Tagged {
    int tag = 3;
    __device__ virtual int tagged(int x) const {
        return tag + x;
    }
};
struct Line : Shape, Tagged {
    using Shape::Shape;
    __device__ int area(int scale) const override {
        return side - scale;
    }
    __device__ const char *name() const override {
        return "line";
    }
    __device__ int tagged(int x) const override {
        return tag * x;
    }
};

typedef int function(int);
typedef decltype(&Shape::area) method;
__device__ int twice(int x) {
    return 2 * x;
}
__device__ int thrice(int x) {
    return 3 * x;
}
__device__ __noinline__ int with_thread(int x) {
    return x + threadIdx.x;
}
__device__ function *functions[] = {twice, thrice, with_thread};
__device__ function *one = thrice;
__device__ function *other = twice;
__constant__ function *constants[2] = {with_thread, twice};
__device__ const char *words[] = {"alpha", "beta", "gamma"};

struct Choice {
    function *run;
    const char *word;
    method call;
};

__device__ function *choose(int i) {
    switch (i % 5) {
    case 0:
        return twice;
    case 1:
    case 2:
        return thrice;
    default:
        return with_thread;
    }
}

__global__ void make(char *room, Shape **shapes, Tagged **tagged, Choice *choices, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    char *place = room + sizeof(Line) * i;
    if (i % 2) {
        shapes[i] = new (place) Square(i);
    } else {
        Line *line = new (place) Line(i);
        shapes[i] = line;
        tagged[i / 2] = line;
    }
    choices[i] = {choose(i), words[i % 3], &Shape::area};
}

__global__ void use(Shape **shapes, Tagged **tagged, const Choice *choices, function *given,
                    int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = n - 1 - i;
    const Choice &c = choices[j];
    out[i] = shapes[j]->area(i) + shapes[j]->name()[0] + tagged[j / 2]->tagged(i) + c.run(i) +
             c.word[1] + (shapes[j]->*c.call)(1) + functions[i % 3](i) + constants[i % 2](i) +
             one(i) + given(i) + (c.run == thrice ? 1000 : 0);
}

__global__ void allocate(Shape **shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        shapes[i] = i % 3 ? (Shape *)new Square(i) : new Line(i);
}

__global__ void sum_and_delete(Shape **shapes, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = shapes[n - 1 - i]->area(i);
    delete shapes[n - 1 - i];
}

static unsigned hash(const int *device, int n) {
    int *host = new int[n];
    unsigned sum = 0;
    cudaMemcpy(host, device, n * sizeof *host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        sum = sum * 31 + host[i];
    delete[] host;
    return sum;
}

int main() {
    const int n = 1 << 14, few = 1 << 10;
    char *room;
    Shape **shapes;
    Tagged **tagged;
    Choice *choices;
    int *out;
    cudaMalloc(&room, n * sizeof(Line));
    cudaMalloc(&shapes, n * sizeof *shapes);
    cudaMalloc(&tagged, n / 2 * sizeof *tagged);
    cudaMalloc(&choices, n * sizeof *choices);
    cudaMalloc(&out, n * sizeof *out);
    function *given[3];
    cudaMemcpyFromSymbol(&given[0], one, sizeof given[0]);
    cudaMemcpyFromSymbol(&given[1], functions, sizeof given[1], 2 * sizeof given[1]);
    cudaMemcpyFromSymbol(&given[2], other, sizeof given[2]);
    make<<<n / 128, 128>>>(room, shapes, tagged, choices, n);
    for (int k = 0; k < 3; k++) {
        use<<<n / 64, 64>>>(shapes, tagged, choices, given[k], out, n);
        printf("%u\n", hash(out, n));
    }
    cudaMemcpyToSymbol(one, &given[2], sizeof given[2]);
    use<<<n / 32, 32>>>(shapes, tagged, choices, given[0], out, n);
    printf("%u\n", hash(out, n));
    allocate<<<few / 64, 64>>>(shapes, few);
    sum_and_delete<<<few / 128, 128>>>(shapes, out, few);
    printf("%u %s\n", hash(out, few), cudaGetErrorString(cudaDeviceSynchronize()));
    // All is as it was after a reset.
    cudaDeviceReset();
    cudaMalloc(&room, n * sizeof(Line));
    cudaMalloc(&shapes, n * sizeof *shapes);
    cudaMalloc(&tagged, n / 2 * sizeof *tagged);
    cudaMalloc(&choices, n * sizeof *choices);
    cudaMalloc(&out, n * sizeof *out);
    make<<<n / 64, 64>>>(room, shapes, tagged, choices, n);
    use<<<n / 128, 128>>>(shapes, tagged, choices, given[1], out, n);
    printf("%u %s\n", hash(out, n), cudaGetErrorString(cudaDeviceSynchronize()));
}
