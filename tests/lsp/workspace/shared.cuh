#pragma once

#define SIZE 1024

/// Halfway between two numbers.
__host__ __device__ inline float average(float a, float b) {
    return (a + b) / 2;
}

void report(int n);
