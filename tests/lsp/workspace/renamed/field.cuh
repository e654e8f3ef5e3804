#pragma once
template <typename T> struct field {
    T *data;
    int width;
    field(T *data, int width) : data(data), width(width) {}
    __device__ T &at(int x, int y) const { return data[y * width + x]; }
};
