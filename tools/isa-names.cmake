# isa-names.cmake: writes to OUT a linker script for IN, libglint_isa.a. In it the names of the wider instruction sets that
# a program refers to stand for those of the portable set. NM lists symbols.
execute_process(COMMAND ${NM} --defined-only --extern-only ${IN} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z0-9_]+_portable\n" names "${symbols}")
set(script "")
foreach(name ${names})
    string(REGEX REPLACE "_portable\n$" "" name ${name})
    string(APPEND script "PROVIDE(${name}_avx2 = ${name}_portable);\nPROVIDE(${name}_avx512 = ${name}_portable);\n")
endforeach()
file(WRITE ${OUT} "${script}")
