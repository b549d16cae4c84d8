"""thin_film.py: prints the tables of test_thin_film.c. They are the light that thin films mirror in daylight, as linear sRGB.
It is computed by transfer matrices (Born and Wolf, Principles of Optics, section 1.6.2) at each nm from 360 to 830.

    pip install colour-science numpy; python3 tests/unit/thin_film.py"""
import colour
import numpy as np

NM = np.arange(360.0, 831.0)
OBSERVER = colour.MSDS_CMFS["CIE 1931 2 Degree Standard Observer"]
DAYLIGHT = colour.SDS_ILLUMINANTS["D65"]
SRGB = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
FACTORS = (np.interp(NM, DAYLIGHT.wavelengths, DAYLIGHT.values)[:, None] * [OBSERVER[nm] for nm in NM]) @ SRGB.T
FACTORS /= FACTORS.sum(0)


def mirrored(outside, film, thickness, below, cosine):
    """The share of unpolarized light at each wavelength. Indices are those of the three media."""
    sine, shares = outside * np.sqrt(1 - cosine ** 2), np.zeros(len(NM))
    in_film, onward = np.sqrt(1 - (sine / film) ** 2 + 0j), np.sqrt(1 - (sine / below) ** 2 + 0j)
    onward = -onward if (below * onward).imag < 0 else onward
    for along in (False, True):
        p0, p1, p2 = (n / c if along else n * c for n, c in ((outside, cosine), (film, in_film), (below, onward)))
        for i, nm in enumerate(NM):
            phase = 2 * np.pi * film * thickness * in_film / nm
            matrix = [[np.cos(phase), -1j * np.sin(phase) / p1], [-1j * p1 * np.sin(phase), np.cos(phase)]]
            b, c = np.array(matrix) @ [1, p2]
            shares[i] += abs((p0 * b - c) / (p0 * b + c)) ** 2 / 2
    return shares


def rgb(*film):
    return np.clip(mirrored(*film) @ FACTORS, 0, 1)


def metal(share, real):
    """The index of metal that mirrors this share straight on."""
    return real + 1j * np.sqrt((share * (real + 1) ** 2 - (real - 1) ** 2) / (1 - share))


def print_row(first, thickness, film, cosine, got):
    print(f"    {{{first}, {thickness}, {film}f, {cosine}f, {{" + ", ".join(f"{v:.4f}f" for v in got) + "}},")


for k, n in enumerate((1.5, 1.0, 2.4, 0.75)):
    for i, thickness in enumerate((80, 250, 400, 900, 2000)):
        film, cosine = (1.33, 1.7, 1.4, 2.2, 1.3)[(i + k) % 5], (1.0, 0.8, 0.55, 0.3, 0.1)[(2 * i + k) % 5]
        print_row(f"{n}f", thickness, film, cosine, rgb(min(n, 1), film, thickness, max(n, 1), cosine))
METALS = ((1.0, (0.95, 0.6, 0.3)), (2.7, (0.55, 0.5, 0.42)), (0.3, (0.98, 0.9, 0.6)), (1.0, (0.1, 0.02, 0.005)))
for k, (real, colour) in enumerate(METALS):
    for i, thickness in enumerate((40, 150, 600, 2000)):
        film, cosine = (1.33, 2.5, 1.5, 1.8)[(i + k) % 4], (1.0, 0.7, 0.4, 0.15)[(i + 2 * k) % 4]
        got = [rgb(1, film, thickness, metal(share, real), cosine)[c] for c, share in enumerate(colour)]
        print_row(f"{real}f, {{{colour[0]}f, {colour[1]}f, {colour[2]}f}}", thickness, film, cosine, got)
