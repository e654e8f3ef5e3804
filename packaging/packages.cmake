# cpack, in a build folder: Debian packages of what is installed, one for each component.
#
#     gcluster       libraries and launchers: what a compiled program needs, on each node
#     gcluster-dev   gcluster-cc, gcluster-translate, headers, a CUDA toolkit's folders
#     gcluster-lsp   the language server, and the files of editors
#
# What programs and libraries are linked with, dpkg-shlibdeps finds; the lists below are of what they
# run and read beside that. tests/package holds both against what is in the packages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The gcluster project <gcluster@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/no_rpath.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

set(CPACK_COMPONENTS_ALL runtime development editor)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "Libraries that programs compiled by gcluster-cc need, and what starts and
watches them on several nodes.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME gcluster)
# Builds that several threads may call, where any OpenBLAS would do by its name.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libopenblas0-pthread | libopenblas0-openmp")
# What starts processes on several machines, and the compiler that NVRTC runs.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "openssh-client | slurm-client")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "openmpi-bin, gcluster-dev")

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "The compiler: gcluster-cc takes nvcc's command line, gcluster-translate whole
projects. /usr/lib/gcluster/cuda has the shape of a CUDA toolkit.")
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME gcluster-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "clang-19, libclang-common-19-dev, binutils, libc6-dev, libstdc++-12-dev | libstdc++-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++, libomp-19-dev")

set(CPACK_COMPONENT_EDITOR_DESCRIPTION
    "gcluster-lsp, a language server for CUDA, and what Neovim, Emacs and VS Code
need to use it.")
set(CPACK_COMPONENT_EDITOR_DEPENDS development)
set(CPACK_DEBIAN_EDITOR_PACKAGE_NAME gcluster-lsp)
set(CPACK_DEBIAN_EDITOR_PACKAGE_RECOMMENDS "clang-format-19, clang-tidy-19")
foreach(component RUNTIME DEVELOPMENT EDITOR)
    set(CPACK_DEBIAN_${component}_FILE_NAME DEB-DEFAULT)
endforeach()
include(CPack)
