# cmake -P: an object with the functions that a shared library exports, and nothing in them. Linked
# to a library of its own it is what programs are linked with in the place of the real one.
execute_process(COMMAND ${lister} -D --defined-only --format=posix ${library}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]* [TW] " names "${symbols}")
string(REGEX REPLACE "([A-Za-z0-9_]+) [TW] ;?" ".globl \\1\n.type \\1, %function\n\\1:\n" text
                     "${names}")
file(WRITE ${object}.s ".text\n${text}.section .note.GNU-stack, \"\", %progbits\n")
execute_process(COMMAND ${compiler} -c ${object}.s -o ${object} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${object}.s)
