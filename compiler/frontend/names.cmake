# Makes names.inc, the table of names that the front end rewrites, from our own headers:
#   cmake -DOUTPUT=names.inc "-DHEADERS=a.h;b.h" -P names.cmake
# What counts: GCL_FUNCTION(Malloc, ...), GCL_FUNCTION_OF(type, Name, ...), GCL_ERROR(Success, ...),
# GCL_ENUMERATOR(MemcpyDefault, ...), GCL_ATTRIBUTE(WarpSize, ...), `typedef ... cudaError_t;` and
# `#define cudaDeviceProp gclDeviceProp`. One GCL_NAME(cuda, gcl, kind) each, sorted.
cmake_minimum_required(VERSION 3.25)
set(text "")
foreach(header IN LISTS HEADERS)
    if(EXISTS ${header})
        file(READ ${header} content)
        string(APPEND text "\n${content}")
    endif()
endforeach()
string(REGEX REPLACE "[;\r]" " @ " text "${text}") # semicolons would split CMake's lists

# Adds a row for each match; the first group of the pattern is the name without `cuda`.
function(collect kind prefix pattern)
    string(REGEX MATCHALL "${pattern}" matches "${text}")
    foreach(match IN LISTS matches)
        string(REGEX REPLACE "${pattern}" "\\1" name "${match}")
        if(NOT ${prefix}${name} IN_LIST seen)
            list(APPEND seen ${prefix}${name})
            list(APPEND rows "GCL_NAME(${prefix}cuda${name}, ${prefix}gcl${name}, ${kind})")
        endif()
    endforeach()
    set(seen ${seen} PARENT_SCOPE)
    set(rows ${rows} PARENT_SCOPE)
endfunction()

set(seen "")
set(rows "")
collect(FUNCTION "" "GCL_FUNCTION[(]([A-Z][A-Za-z0-9_]*)")
collect(FUNCTION "" "GCL_FUNCTION_OF[(][^,()]*,[ \n]*([A-Z][A-Za-z0-9_]*)")
collect(FUNCTION "" "GCL_OVERLOAD[(]([A-Z][A-Za-z0-9_]*)")
collect(ENUMERATOR "" "GCL_ENUMERATOR[(]([A-Z][A-Za-z0-9_]*),")
collect(ENUMERATOR "" "GCL_ERROR[(]([A-Z][A-Za-z0-9_]*),")
string(REGEX REPLACE "GCL_ATTRIBUTE[(]([A-Z])" "GCL_ATTRIBUTE(DevAttr\\1" text "${text}")
collect(ENUMERATOR "" "GCL_ATTRIBUTE[(]([A-Z][A-Za-z0-9_]*),")
collect(TYPE "" "typedef [^@]*cuda([A-Z][A-Za-z0-9_]*) @ ")
collect(MACRO "" "# *define +cuda([A-Z][A-Za-z0-9_]*) +gcl[A-Z]")
collect(MACRO "make_" "# *define +make_cuda([A-Z][A-Za-z0-9_]*) +make_gcl[A-Z]")
list(SORT rows)
list(JOIN rows "\n" body)
file(WRITE ${OUTPUT}.new "${body}\n")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
file(REMOVE ${OUTPUT}.new)
