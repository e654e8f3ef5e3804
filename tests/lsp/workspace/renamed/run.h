#pragma once
struct options {
    int steps;
};
int simulate(const options *o, float *out);
