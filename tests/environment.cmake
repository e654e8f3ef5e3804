# What ctest's tests find in the environment: that the compiler compiles, also what it has compiled
# before.
set(ENV{GCL_CACHE} 0)
