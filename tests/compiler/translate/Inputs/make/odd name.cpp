const char *odd() { return "!"; }
