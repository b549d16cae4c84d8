# Installs the files besides the program. debian/ makes a package of each component.
set(GLINT_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "where zsh looks for completions")

# Man pages and completions, made of what the program says of itself.
set(pages ${CMAKE_BINARY_DIR}/pages)
file(GLOB page_sources CONFIGURE_DEPENDS docs/glint.1)
add_custom_command(OUTPUT ${pages}/fish/glint.fish
    COMMAND ${CMAKE_SOURCE_DIR}/tools/pages $<TARGET_FILE:glint> ${pages}
    DEPENDS glint tools/pages ${page_sources} VERBATIM)
add_custom_target(pages ALL DEPENDS ${pages}/fish/glint.fish)
add_custom_target(installed DEPENDS pages libglint $<TARGET_NAME_IF_EXISTS:python>) # all that is installed, and no test

install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/bash/glint DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/zsh/_glint DESTINATION ${GLINT_ZSH_DIR})
install(FILES ${pages}/fish/glint.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME NEWS.md)
install(FILES debian/copyright README.md docs/guide.md docs/batch.md docs/window.md docs/bench.md
    docs/formats.md docs/trace.md docs/scale.md docs/kernels.md docs/lab.md docs/explain.md assets/presets/chains.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET glint-view)
    install(FILES packaging/org.glint.glint.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT view)
    install(FILES packaging/org.glint.glint.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT view)
    install(FILES packaging/org.glint.glint.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT view)
endif()
install(FILES docs/library.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libglint-dev COMPONENT dev)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libglint-dev COMPONENT dev)
