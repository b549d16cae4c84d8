#!/usr/bin/env bash
# tools/pages makes man pages and completions of the program's own words; they are installed.
. "$(dirname "$0")/lib.sh"
last="tools/pages"
"$GLINT_SOURCE_DIR/tools/pages" "$glint" pages >.out 2>.err
check "status 0" test $? -eq 0
check "not a word" test ! -s .err
commands=$("$glint" help | awk '/^  glint / { print $2 }')
check "eight subcommands, or seven without the window" test "$(wc -w <<<"$commands")" -ge 7
for command in $commands; do
    last="the pages of glint $command"
    gzip -dc "pages/man/glint-$command.1.gz" >page 2>.err || complain "no man page"
    check "its name" grep -q "^glint-$command " page
    for option in $("$glint" $command --help 2>/dev/null | sed '/^Commands of/,$d' | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+$'); do
        check "the man page has $option" grep -qF -e "${option//-/\\-}" page
        check "bash knows $option" grep -qw -e "$option" pages/bash/glint
        check "zsh knows $option" grep -qF -e "'$option" pages/zsh/_glint
        check "fish knows $option" grep -qE -e "from $command.* -l ${option#--}( |$)" pages/fish/glint.fish
    done
    if command -v man >/dev/null; then
        check "groff warns of nothing: $(man --warnings -E UTF-8 -l page 2>&1 >/dev/null | head -n 1)" \
            test -z "$(man --warnings -E UTF-8 -l page 2>&1 >/dev/null)"
    fi
done
for shell in bash zsh fish; do
    command -v $shell >/dev/null || continue
    last="the completion of $shell"
    check "no mistake" $shell -n pages/$shell/*
done

# The words that bash completes.
PATH=$(dirname "$glint"):$PATH
. pages/bash/glint
completes() { # completes WANTED WORD...: among the words that the last one may become
    local wanted=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) last="completing $*"
    _glint
    check "$wanted is offered: ${COMPREPLY[*]}" grep -qxF -e "$wanted" <(printf '%s\n' "${COMPREPLY[@]}")
}
completes batch glint ba
completes gaussian glint batch gau
completes --resume glint batch invert --re
completes cpu glint batch invert --backend c
completes reference glint batch invert --level = ref
completes packed glint trace pa
completes filters glint list fi
completes convolve glint bench con
completes machine glint bench ma
completes reduce glint help red
completes gpu glint batch invert --codec g
completes stop glint batch invert --on-error = s

# Whatever wants to check them.
packaging=$GLINT_SOURCE_DIR/packaging
for tool in "desktop-file-validate --no-hints $packaging/org.glint.glint.desktop" \
    "appstreamcli validate --no-net $packaging/org.glint.glint.metainfo.xml"; do
    command -v ${tool%% *} >/dev/null || continue
    last=$tool
    check "it finds nothing" $tool >.out 2>&1
done
last="cmake --install"
build=$(dirname "$glint")
if [ -e "$build/pages/fish/glint.fish" ] && [ -e "$build/cmake_install.cmake" ]; then
    cmake --install "$build" --prefix "$work/usr" >.out 2>.err || complain "cannot be installed"
    for file in bin/glint share/man/man1/glint.1.gz share/man/man1/glint-batch.1.gz share/bash-completion/completions/glint \
        share/fish/vendor_completions.d/glint.fish share/applications/org.glint.glint.desktop \
        share/icons/hicolor/scalable/apps/org.glint.glint.svg share/metainfo/org.glint.glint.metainfo.xml \
        share/doc/glint/copyright share/glint/photo.jpg; do
        check "$file is there" test -s "usr/$file"
    done
    check "what is installed runs" usr/bin/glint --version >/dev/null
fi
finish
