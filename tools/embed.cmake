# cmake -D IN=a.frag -D OUT=a.frag.c -D NAME=shader_a_frag -D HEADER=render/shaders.h -P embed.cmake: a text file as a C
# string that HEADER declares, so that the program has it wherever it stands.
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes
       "${bytes}")
file(WRITE ${OUT} "#include \"${HEADER}\"\n\nconst char ${NAME}[] = {\n    ${bytes}0};\n")
