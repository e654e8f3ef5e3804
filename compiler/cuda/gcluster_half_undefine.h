// Forgets the names that one inclusion of gcluster_half_type.h was made with.
#undef __GCL_HALF
#undef __GCL_PAIR
#undef __GCL_HALF_RAW
#undef __GCL_PAIR_RAW
#undef __GCL_OTHER_HALF
#undef __GCL_FORMAT
#undef __GCL_ONE
#undef __GCL_TWO
#undef __GCL_BROADCAST
#undef __GCL_NO_HALF_CONVERSIONS
#undef __GCL_NO_HALF_OPERATORS
#undef __GCL_NO_PAIR_OPERATORS
