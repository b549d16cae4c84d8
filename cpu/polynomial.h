/* polynomial.h: 2^x from -1/2 to 1/2 as polynomials that are 1 at 0: Chebyshev fits within 3e-6, 1e-7 and 2e-9. */
#ifndef GLINT_CPU_POLYNOMIAL_H
#define GLINT_CPU_POLYNOMIAL_H

#define POWER_OF_TWO_U8(x)                                                                                             \
    ((((0.00958285294F * (x) + 0.0559064262F) * (x) + 0.240240991F) * (x) + 0.693124175F) * (x) + 1.0F)
#define POWER_OF_TWO_F32(x)                                                                                            \
    (((((0.00132646528F * (x) + 0.00967151113F) * (x) + 0.0555073395F) * (x) + 0.240222424F) * (x) + 0.693147004F) *   \
         (x) +                                                                                                         \
     1.0F)
/* The same, by pairs of terms: fewer operations wait for one another. xx is x * x (G. Estrin, 1960). */
#define POWER_OF_TWO_F32_PAIRS(x, xx)                                                                                  \
    ((0.693147004F * (x) + 1.0F) +                                                                                     \
     (xx) * ((0.0555073395F * (x) + 0.240222424F) + (xx) * (0.00132646528F * (x) + 0.00967151113F)))
#define POWER_OF_TWO_F64(x)                                                                                            \
    ((((((0.00015355155306827283 * (x) + 0.0013398935183507755) * (x) + 0.009618429333629443) * (x) +                  \
        0.05550332347864237) *                                                                                         \
           (x) +                                                                                                       \
       0.24022648005277236) *                                                                                          \
          (x) +                                                                                                        \
      0.6931472028304317) *                                                                                            \
         (x) +                                                                                                         \
     1.0)

#endif
