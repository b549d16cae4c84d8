# embed.cmake: makes a C string, which HEADER declares, of a text file, so that the program has it wherever it stands:
#     cmake -D IN=a.frag -D OUT=a.frag.c -D NAME=shader_a_frag -D HEADER=render/shaders.h -P embed.cmake
# With FROM and TO, only the text behind FROM, up to the next TO.
file(READ ${IN} bytes HEX)
if(FROM)
    string(HEX "${FROM}" from)
    string(HEX "${TO}" to)
    string(FIND ${bytes} ${from} begin)
    string(LENGTH ${from} length)
    math(EXPR begin "${begin} + ${length}")
    string(SUBSTRING ${bytes} ${begin} -1 bytes)
    string(FIND ${bytes} ${to} end)
    string(SUBSTRING ${bytes} 0 ${end} bytes)
endif()
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes
       "${bytes}")
file(WRITE ${OUT} "#include \"${HEADER}\"\n\nconst char ${NAME}[] = {\n    ${bytes}0};\n")
