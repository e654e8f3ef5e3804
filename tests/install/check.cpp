#include "check.h"

bool all_equal(const float *values, int count, float expected) {
    for (int i = 0; i < count; i++)
        if (values[i] != expected)
            return false;
    return true;
}
