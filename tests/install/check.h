// Shared by a CUDA and a C++ source, to see that dependencies are noted.
#pragma once
bool all_equal(const float *values, int count, float expected);
