// What a Makefile tells nvcc, read as text: nothing is run.
#ifndef GCL_PROJECT_MAKEFILE_H
#define GCL_PROJECT_MAKEFILE_H

/// The words of the first recipe line that calls nvcc to compile, behind nvcc, with variables
/// expanded; $(shell …), other functions and automatic variables are left out. NULL if there is no
/// such line; freed with g_strfreev. Any text is fine.
char **gcl_makefile_nvcc(const char *text);

#endif
