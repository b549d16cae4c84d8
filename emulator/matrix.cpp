/* matrix.cpp: instructions of the emulated GPU by which a warp multiplies matrices. */
#include "emulator/execute.hpp"
#include "emulator/half.hpp"

namespace ptx {

/* Matrix products: fragments as PTX ISA 9.7.14 lays them out; A is M by K of rows, B is K by N of columns. */
static float tf32_value(uint32_t bits) {
    return get<float>(bits & 0xFFFFE000);
}

static float half_value(uint32_t bits) {
    return (float)(double)get<Half>(bits);
}

template <float value(uint32_t bits)> static void mma_m16n8k16(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != ALL)
        throw Fault("mma.sync needs all lanes");
    float a[16][16], b[16][8], d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int k = 0; k < 8; k++) {
            const int row = (k < 2 || (k >= 4 && k < 6)) ? g : g + 8, col = t * 2 + (k & 1) + (k < 4 ? 0 : 8);
            a[row][col] = value(w.to(i.r[4 + k / 2])[l] >> (16 * (k & 1)));
        }
        for (int k = 0; k < 4; k++)
            b[t * 2 + (k & 1) + (k < 2 ? 0 : 8)][g] = value(w.to(i.r[8 + k / 2])[l] >> (16 * (k & 1)));
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = get<float>(w.to(i.r[10 + k])[l]);
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++) {
            double sum = d[y][x];
            for (int k = 0; k < 16; k++)
                sum += (double)a[y][k] * b[k][x];
            d[y][x] = (float)sum;
        }
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[k])[l] = put(d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)]);
}
static void mma_m16n8k8_tf32(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != ALL)
        throw Fault("mma.sync needs all lanes");
    float a[16][8], b[8][8], d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int k = 0; k < 4; k++)
            a[k & 1 ? g + 8 : g][k < 2 ? t : t + 4] = tf32_value(w.to(i.r[4 + k])[l]);
        for (int k = 0; k < 2; k++)
            b[k ? t + 4 : t][g] = tf32_value(w.to(i.r[8 + k])[l]);
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = get<float>(w.to(i.r[10 + k])[l]);
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++) {
            double sum = d[y][x];
            for (int k = 0; k < 8; k++)
                sum += (double)a[y][k] * b[k][x];
            d[y][x] = (float)sum;
        }
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[k])[l] = put(d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)]);
}
/* m16n8kK of bytes; variant: 1 if A is signed, 2 if B is. */
template <int K> static void mma_bytes(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != ALL)
        throw Fault("mma.sync needs all lanes");
    enum { A = K / 8, B = K / 16 };
    const auto byte = [](uint64_t word, int k, bool is_signed) {
        const int v = (int)(word >> (8 * k) & 255);
        return is_signed ? (int)(int8_t)v : v;
    };
    int a[16][K], b[K][8];
    uint32_t d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int r = 0; r < A; r++)
            for (int k = 0; k < 4; k++)
                a[r & 1 ? g + 8 : g][t * 4 + k + 16 * (r / 2)] = byte(w.to(i.r[4 + r])[l], k, i.variant & 1);
        for (int r = 0; r < B; r++)
            for (int k = 0; k < 4; k++)
                b[t * 4 + k + 16 * r][g] = byte(w.to(i.r[4 + A + r])[l], k, i.variant & 2);
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = w.to(i.r[4 + A + B + k])[l];
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++)
            for (int k = 0; k < K; k++)
                d[y][x] += (uint32_t)(a[y][k] * b[k][x]);
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[k])[l] = d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)];
}
/* m16n8k256 of bits: the ones that both have. */
static void mma_bits(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != ALL)
        throw Fault("mma.sync needs all lanes");
    enum { PARTS = 8 };
    uint32_t a[16][PARTS], b[8][PARTS], d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int r = 0; r < 4; r++)
            a[r & 1 ? g + 8 : g][t + r / 2 * 4] = w.to(i.r[4 + r])[l];
        for (int r = 0; r < 2; r++)
            b[g][t + r * 4] = w.to(i.r[8 + r])[l];
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = w.to(i.r[10 + k])[l];
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++)
            for (int k = 0; k < PARTS; k++)
                d[y][x] += (uint32_t)__builtin_popcount(a[y][k] & b[x][k]);
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[k])[l] = d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)];
}
/* ldmatrix: lane 8 n + r has the address of row r of matrix n. */
static void load_matrix(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != ALL)
        throw Fault("ldmatrix needs all lanes");
    const int n = i.outputs;
    w.count(i, n, 16, n == 4 ? ALL : (1u << 8 * n) - 1); /* lane 8 m + r has the address of row r of matrix m */
    for (int m = 0; m < n; m++) {
        uint16_t rows[8][8];
        for (int r = 0; r < 8; r++) {
            const int from = m * 8 + r;
            memcpy(rows[r], w.at(i, from, w.address(i, n, from), 16, false), 16);
        }
        for (int l = 0; l < LANES; l++) {
            const int row = l / 4, col = l % 4 * 2;
            const uint32_t low = i.variant ? rows[col][row] : rows[row][col];
            const uint32_t top = i.variant ? rows[col + 1][row] : rows[row][col + 1];
            w.to(i.r[m])[l] = low | top << 16;
        }
    }
}

static Execute products(const Words &words, Draft &i) {
    i.flow = Flow::CONVERGE;
    i.kinds = "w";
    if (is(words, "m16n8k256") && is(words, "b1") && is(words, "and"))
        return mma_bits;
    if (is(words, "m16n8k16") && is(words, "bf16"))
        return mma_m16n8k16<bf16_value>;
    if (is(words, "m16n8k16") && is(words, "f16"))
        return mma_m16n8k16<half_value>;
    if (is(words, "m16n8k8") && is(words, "tf32"))
        return mma_m16n8k8_tf32;
    const size_t a = words.size() - 3;
    i.variant = (int8_t)((words[a] == "s8" ? 1 : 0) | (words[a + 1] == "s8" ? 2 : 0));
    if (is(words, "m16n8k32"))
        return mma_bytes<32>;
    if (is(words, "m16n8k16"))
        return mma_bytes<16>;
    return nullptr;
}
static Execute matrix_loads(const Words &words, Draft &i) {
    i.flow = Flow::CONVERGE;
    i.kinds = "wa", i.first = i.outputs;
    i.variant = is(words, "trans");
    return load_matrix;
}

const Row matrix_rows[] = {{"mma", products}, {"ldmatrix", matrix_loads}, {}};

} // namespace ptx
