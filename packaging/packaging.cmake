# Installs the files besides the program, and makes Debian packages by CPack. The package glint has the program, and each
# of glint-view, glint-emulated and glint-mpi has a module. libglint0 and libglint-dev have the library. `make release`
# calls it.
set(GLINT_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "where zsh looks for completions")

# Man pages and completions, made of what the program says of itself.
set(pages ${CMAKE_BINARY_DIR}/pages)
file(GLOB page_sources CONFIGURE_DEPENDS docs/glint.1)
add_custom_command(OUTPUT ${pages}/fish/glint.fish
    COMMAND ${CMAKE_SOURCE_DIR}/tools/pages $<TARGET_FILE:glint> ${pages}
    DEPENDS glint tools/pages ${page_sources} VERBATIM)
add_custom_target(pages ALL DEPENDS ${pages}/fish/glint.fish)

# Debian's log of changes tells of packages; CHANGELOG.md, of the program, goes along.
set(changelog ${CMAKE_BINARY_DIR}/packaging/changelog.gz)
file(WRITE ${CMAKE_BINARY_DIR}/packaging/changelog
    "glint (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * Version ${PROJECT_VERSION}; CHANGELOG.md says what is new.\n\n"
    " -- the glint authors <glint@example.org>  Mon, 23 Nov 2026 12:00:00 +0000\n")
execute_process(COMMAND gzip -9nkf ${CMAKE_BINARY_DIR}/packaging/changelog)

install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/bash/glint DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/zsh/_glint DESTINATION ${GLINT_ZSH_DIR})
install(FILES ${pages}/fish/glint.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES packaging/copyright ${changelog} CHANGELOG.md README.md docs/guide.md docs/batch.md docs/window.md docs/bench.md
    docs/formats.md docs/trace.md docs/scale.md docs/kernels.md docs/lab.md docs/explain.md assets/presets/chains.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/copyright ${changelog} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/glint-emulated COMPONENT emulated)
if(TARGET glint-view)
    install(FILES packaging/org.glint.glint.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT view)
    install(FILES packaging/org.glint.glint.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT view)
    install(FILES packaging/org.glint.glint.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT view)
    install(FILES packaging/copyright ${changelog} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/glint-view COMPONENT view)
endif()
if(TARGET glint-mpi)
    install(FILES packaging/copyright ${changelog} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/glint-mpi COMPONENT mpi)
endif()

install(FILES packaging/copyright ${changelog} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libglint0 COMPONENT lib)
install(FILES packaging/copyright ${changelog} docs/library.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libglint-dev COMPONENT dev)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libglint-dev COMPONENT dev)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "the glint authors")
set(CPACK_PACKAGE_CONTACT "the glint authors <glint@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "filter images and ray trace scenes, with live timings")
set(CPACK_COMPONENT_GLINT_DESCRIPTION "glint filters images and ray traces scenes, on the processor and on NVIDIA
GPUs, in a window and from the command line, and shows what each
optimization of a filter buys. The package glint-view has the window.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL glint emulated lib dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GLINT_PACKAGE_NAME glint)
set(CPACK_DEBIAN_GLINT_PACKAGE_SUGGESTS "glint-view, glint-emulated, glint-mpi")
set(CPACK_DEBIAN_EMULATED_PACKAGE_NAME glint-emulated)
set(CPACK_DEBIAN_EMULATED_PACKAGE_DEPENDS "glint (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_EMULATED_DESCRIPTION "This is the emulated GPU: it runs the kernels of glint, and those that
one writes, without an NVIDIA GPU, and checks each of their accesses.")
if(TARGET glint-view)
    list(APPEND CPACK_COMPONENTS_ALL view)
    set(CPACK_DEBIAN_VIEW_PACKAGE_NAME glint-view)
    set(CPACK_DEBIAN_VIEW_PACKAGE_DEPENDS "glint (= ${PROJECT_VERSION})")
    set(CPACK_DEBIAN_VIEW_PACKAGE_RECOMMENDS "fonts-inter, fonts-dejavu-core")
    set(CPACK_COMPONENT_VIEW_DESCRIPTION "This is the window of glint: pictures and scenes under the mouse, with live
timings of every level.")
endif()
if(TARGET glint-mpi)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_NAME glint-mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "glint (= ${PROJECT_VERSION})")
    set(CPACK_COMPONENT_MPI_DESCRIPTION "This is the module for several machines: by MPI, the processes of mpirun
share one run of glint batch, or one picture of glint trace.")
endif()
set(CPACK_DEBIAN_LIB_PACKAGE_NAME libglint0)
set(CPACK_DEBIAN_LIB_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIB_DESCRIPTION "This is the library of glint: filters, codecs and the ray tracer, for programs
that link it.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libglint-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libglint0 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEV_DESCRIPTION "These are the header of the library of glint, its files for pkg-config and
CMake, and examples.")
include(CPack)
