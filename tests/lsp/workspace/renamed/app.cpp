#include "run.h"
int main() {
    options o{10};
    float out[16];
    return simulate(&o, out);
}
