# isa-names.cmake: writes to OUT a linker script in which the names of the wider instruction sets of IN, libglint_isa.a,
# stand for the portable set. NM lists symbols.
execute_process(COMMAND ${NM} --defined-only --extern-only ${IN} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z0-9_]+_portable\n" names "${symbols}")
set(script "")
foreach(name ${names})
    string(REGEX REPLACE "_portable\n$" "" name ${name})
    string(APPEND script "${name}_avx2 = ${name}_portable;\n${name}_avx512 = ${name}_portable;\n")
endforeach()
file(WRITE ${OUT} "${script}")
