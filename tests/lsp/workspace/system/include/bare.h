// Nothing keeps it from being read twice.
struct Bare {
    int far;
};
