# cmake -Dprefix=<folder> -P layout.cmake: gives the installation in <folder> the shape of a CUDA
# toolkit. Also for one that has been moved: programs that other linkers than gcluster-cc make find
# libgcluster where it was when this ran. With -Dstage=<folder> the files lie under that for now.
#
# Build files hand libraries in lib64 to any linker, and count on that the program starts without
# more ado, as it does with libcudart_static.a. So the name by which a program asks for a library of
# ours (DT_NEEDED) has to be where that lies. Linkers take it from the library that they are given;
# lib64 has libraries whose only content are symbols and such a name.
include(${CMAKE_CURRENT_LIST_DIR}/settings.cmake)

# In the system's folders /usr/bin/nvcc or /usr/include/cuda.h would be in the way of others.
set(top ${prefix})
if(prefix STREQUAL "/usr")
    set(top ${prefix}/lib/gcluster/cuda)
endif()

# `name` in the toolkit's `folder` is `path` of the prefix.
function(link folder name path)
    file(RELATIVE_PATH target ${top}/${folder} ${prefix}/${path})
    file(MAKE_DIRECTORY ${stage}${top}/${folder})
    file(CREATE_LINK ${target} ${stage}${top}/${folder}/${name} SYMBOLIC)
endfunction()

link(bin nvcc ${bin}/gcluster-cc)
link(. version.json ${cuda}/../toolkit/version.json)

# But for what is for gcluster-cc alone: what stands before headers of the C++ library and of Thrust,
# and parts of ours.
file(GLOB headers RELATIVE ${stage}${prefix}/${cuda} ${stage}${prefix}/${cuda}/*)
list(REMOVE_ITEM headers ahead cmath gcluster)
foreach(header IN LISTS headers)
    link(include ${header} ${cuda}/${header})
endforeach()
foreach(folder cuda nv) # where newer toolkits have libcu++
    link(include/cccl ${folder} ${cuda}/${folder})
endforeach()
if(NOT top STREQUAL prefix)
    link(include gcluster.h include/gcluster.h)
    link(include gcluster include/gcluster)
endif()

file(MAKE_DIRECTORY ${stage}${top}/lib64)
foreach(library IN LISTS libraries)
    list(POP_FRONT names_${library} first)
    execute_process(COMMAND ${linker} -shared -soname ${prefix}/${lib}/${soname_${library}}
                            -o ${stage}${top}/lib64/${first} ${CMAKE_CURRENT_LIST_DIR}/${library}.o
                    COMMAND_ERROR_IS_FATAL ANY)
    foreach(name IN LISTS names_${library})
        file(CREATE_LINK ${first} ${stage}${top}/lib64/${name} SYMBOLIC)
    endforeach()
endforeach()
