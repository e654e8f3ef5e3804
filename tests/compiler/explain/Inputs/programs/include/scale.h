#ifndef SCALE
#error the Makefile says how much
#endif
