// Objects with virtual functions that one kernel makes and others use, and tables of functions.
#include "../device/check.h"

struct hit {
    float distance;
    int id;
};

struct shape {
    int id;
    float x, y, size;
    __device__ shape(int id, float x, float y, float size) : id(id), x(x), y(y), size(size) {
    }
    __device__ virtual ~shape() {
    }
    __device__ virtual bool strikes(float px, float py, hit &found) const = 0;
    __device__ bool answer(float distance, hit &found) const {
        if (distance < size)
            found = {distance, id};
        return distance < size;
    }
};

struct disc : shape {
    using shape::shape;
    __device__ bool strikes(float px, float py, hit &found) const override {
        return answer((px - x) * (px - x) + (py - y) * (py - y), found);
    }
};

struct square : shape {
    using shape::shape;
    __device__ bool strikes(float px, float py, hit &found) const override {
        return answer(fmaxf(fabsf(px - x), fabsf(py - y)), found);
    }
};

// Calls the others, so it may call itself.
struct world : shape {
    shape **shapes;
    int count;
    __device__ world(shape **shapes, int count) : shape(-1, 0, 0, 0), shapes(shapes), count(count) {
    }
    __device__ bool strikes(float px, float py, hit &nearest) const override {
        bool is_any = false;
        for (int i = 0; i < count; i++) {
            hit found;
            if (!shapes[i]->strikes(px, py, found) ||
                (is_any && found.distance >= nearest.distance))
                continue;
            nearest = found;
            is_any = true;
        }
        return is_any;
    }
};

__global__ void make(shape **shapes, shape **all, int count) {
    for (int i = 0; i < count; i++) {
        if (i % 2)
            shapes[i] = new disc(i, i, i, 2);
        else
            shapes[i] = new square(i, i, 2 * i, 1.5f);
    }
    *all = new world(shapes, count);
}

__global__ void draw(int *out, shape **all) {
    hit found;
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    out[at] = (*all)->strikes(threadIdx.x, blockIdx.x, found) ? found.id : -1;
}

__global__ void drop(shape **shapes, shape **all, int count) {
    for (int i = 0; i < count; i++)
        delete shapes[i];
    delete *all;
}

// What the host finds without calls.
static int expected(int px, int py, int count) {
    float nearest = 1e9f;
    int id = -1;
    for (int i = 0; i < count; i++) {
        float dx = abs(px - i), dy = abs(py - (i % 2 ? i : 2 * i));
        float distance = i % 2 ? dx * dx + dy * dy : fmaxf(dx, dy);
        if (distance < (i % 2 ? 2 : 1.5f) && distance < nearest) {
            nearest = distance;
            id = i;
        }
    }
    return id;
}

typedef int operation(int, int);
__device__ int add(int a, int b) {
    return a + b;
}
__device__ int take(int a, int b) {
    return a - b;
}
__device__ int in_block(int a, int b) {
    return a + b * blockIdx.x;
}
__device__ operation *const operations[] = {add, take, in_block};

__global__ void choose(operation **chosen, int which) {
    *chosen = operations[which];
}

__global__ void apply(int *out, operation **chosen) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    out[at] = (*chosen)(at, 2) + operations[threadIdx.x % 2](0, 1);
}

int main() {
    const int width = 32, height = 48, count = 20;
    int *out = managed<int>(width * height);
    shape **shapes = managed<shape *>(count + 1);
    make<<<1, 1>>>(shapes, shapes + count, count);
    draw<<<height, width>>>(out, shapes + count);
    drop<<<1, 1>>>(shapes, shapes + count, count);
    SYNC();
    for (int i = 0; i < width * height; i++)
        CHECK(out[i] == expected(i % width, i / width, count));
    operation **chosen = managed<operation *>(1);
    for (int which = 0; which < 3; which++) {
        choose<<<1, 1>>>(chosen, which);
        apply<<<4, 32>>>(out, chosen);
        SYNC();
        for (int i = 0; i < 128; i++) {
            int wanted[] = {i + 2, i - 2, i + 2 * (i / 32)};
            CHECK(out[i] == wanted[which] + (i % 2 ? -1 : 1));
        }
    }
    return 0;
}
