/* execute.cpp: finds the function that carries out an instruction, in the tables of the kinds of instructions. */
#include "emulator/execute.hpp"

namespace ptx {

Execute execute_of(const Words &words, Draft &i) {
    for (const Row *rows :
         {arithmetic_rows, bit_rows, move_rows, conversion_rows, memory_rows, warp_rows, matrix_rows, hopper_rows})
        for (; rows->opcode; rows++)
            if (words[0] == rows->opcode)
                if (const Execute found = rows->choose(words, i))
                    return found;
    return nullptr;
}

EmulatorWork work_of(const Words &words, const Draft &i) {
    static const std::pair<const Row *, EmulatorWork> kinds[] = {{memory_rows, EMULATOR_WORK_MEMORY},
                                                                 {matrix_rows, EMULATOR_WORK_MATRIX},
                                                                 {hopper_rows, EMULATOR_WORK_MATRIX},
                                                                 {conversion_rows, EMULATOR_WORK_CONVERSION},
                                                                 {warp_rows, EMULATOR_WORK_EXCHANGE}};
    const std::string &opcode = words[0], &type = words.back();
    for (const auto &[rows, work] : kinds)
        for (const Row *row = rows; row->opcode; row++)
            if (opcode == row->opcode && !(i.flow == Flow::NEXT && work == EMULATOR_WORK_EXCHANGE))
                return opcode == "ldmatrix" || opcode == "mbarrier" ? EMULATOR_WORK_MEMORY : work;
    return opcode == "mov" || opcode == "selp" || opcode == "cvta" ? EMULATOR_WORK_MOVE
           : type.starts_with("f16") || type.starts_with("bf16")   ? EMULATOR_WORK_FP16
           : type == "f32"                                         ? EMULATOR_WORK_FP32
           : type == "f64"                                         ? EMULATOR_WORK_FP64
                                                                   : EMULATOR_WORK_INTEGER;
}

} // namespace ptx
