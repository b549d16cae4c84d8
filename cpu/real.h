/* real.h: the precision of code that a file includes twice, from "NAME_real.h". By SUMS_FLOAT, sums are float (1), as
 * those of bytes, or double (0), as those of 16 bits. Functions and types there have a name for each, NAME(x). */
#undef REAL
#undef UNSIGNED
#undef BITS
#undef MANTISSA
#undef ONE_APART
#undef ROOT
#undef TURN
#undef POWER_MIN
#undef POLYNOMIAL
#undef WHOLE
#undef WHOLE_TYPE
#undef WIDEN
#undef NARROW_TO
#undef PACK_TO
#undef NAME

#if SUMS_FLOAT
#    define REAL       float
#    define UNSIGNED   uint32_t
#    define BITS       int32_t
#    define MANTISSA   23
#    define ONE_APART  12582912.0F /* 1.5 times 2^23: whole numbers lie one apart */
#    define ROOT       sqrtf
#    define TURN       TURN_F32
#    define POWER_MIN  (-126.0F)
#    define POLYNOMIAL POWER_OF_TWO_F32
#    define WHOLE      uint8_t
#    define WHOLE_TYPE PIXEL_U8
#    define WIDEN      widen_u8
#    define NARROW_TO  narrow_u8
#    define PACK_TO    pack_u8
#    define NAME(x)    x##_f32
#else
#    define REAL       double
#    define UNSIGNED   uint64_t
#    define BITS       int64_t
#    define MANTISSA   52
#    define ONE_APART  6755399441055744.0 /* 1.5 times 2^52 */
#    define ROOT       sqrt
#    define TURN       TURN_F64
#    define POWER_MIN  (-1022.0)
#    define POLYNOMIAL POWER_OF_TWO_F64
#    define WHOLE      uint16_t
#    define WHOLE_TYPE PIXEL_U16
#    define WIDEN      widen_u16
#    define NARROW_TO  narrow_u16
#    define PACK_TO    pack_u16
#    define NAME(x)    x##_f64
#endif
