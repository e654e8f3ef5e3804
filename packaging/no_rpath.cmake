# CPack runs this before it packs: an installation that can be anywhere says in its files where
# libraries lie, relative to them; in a package they lie where the system looks.
file(GLOB files ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/bin/*
                ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/lib/*.so*)
foreach(file IN LISTS files)
    if(NOT IS_SYMLINK ${file})
        file(RPATH_REMOVE FILE ${file})
    endif()
endforeach()
