/* half.hpp: IEEE 754's binary16, which not every compiler has as a type of its own. Values are read as double, which
 * holds sums and products of two of them exactly, and are rounded once, to the nearest, halves to even. */
#ifndef GLINT_EMULATOR_HALF_HPP
#define GLINT_EMULATOR_HALF_HPP

#include <cmath>
#include <cstdint>

namespace ptx {

struct Half {
    uint16_t bits;

    static Half rounded(double value) {
        return {(uint16_t)(magnitude(std::fabs(value)) | (std::signbit(value) ? 0x8000 : 0))};
    }

    explicit operator double() const {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        const double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                            : exponent == 0 ? std::ldexp(fraction, -24)
                                            : std::ldexp(1024 + fraction, exponent - 25);
        return bits & 0x8000 ? -size : size;
    }

  private:
    static int magnitude(double value) {
        if (std::isnan(value))
            return 0x7FFF;  /* the one that PTX makes (PTX ISA 9.0, cvt) */
        if (value >= 65520) /* the next number after the largest would be 65536 */
            return 31 << 10;
        if (value < 0x1p-14)
            return (int)std::nearbyint(std::ldexp(value, 24));
        const int exponent = std::ilogb(value);
        return ((exponent + 15) << 10) + (int)std::nearbyint(std::ldexp(value, 10 - exponent)) - 1024;
    }
};

} // namespace ptx

#endif
