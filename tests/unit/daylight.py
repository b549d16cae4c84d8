#!/usr/bin/env python3
"""daylight.py: the light of clear skies for tests/unit/test_daylight.c, by sums in double precision that share no code with
core/scene/atmosphere.c. Wants numpy, scipy, pvlib and colour-science.

Sums are by Gauss and Legendre's rule with many places, columns of air are summed for each of them, and all 41 wavelengths
take part. Light that is scattered more than once is interpolated, as its logarithm, between 420 exact sums."""
import sys

import colour
import numpy as np
from pvlib.atmosphere import get_relative_airmass
from pvlib.spectrum import spectrl2
from pvlib.spectrum.spectrl2 import _SPECTRL2_COEFFS as table
from scipy.interpolate import RectBivariateSpline, RegularGridInterpolator
from scipy.special import roots_legendre

EARTH, TOP = 6371.0, 6471.0
NM = np.arange(380, 781, 10)
UM = NM * 1e-3
SENT = np.interp(NM, table["wavelength"], table["spectral_irradiance_et"])
OZONE = np.interp(NM, table["wavelength"], table["ozone_absorption"]) * 0.35 / 15
RAYLEIGH = (0.0021520 * (1.0455996 - 341.29061 * UM**-2 - 0.90230850 * UM**2)
            / (1 + 0.0027059889 * UM**-2 - 85.968563 * UM**2) / 7.994)
SCATTERED, FORWARD = 0.925, 0.703
OBSERVER = colour.MSDS_CMFS["CIE 1931 2 Degree Standard Observer"].copy().align(colour.SpectralShape(380, 780, 10)).values
TO_RGB = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])


def rule(count):
    x, w = roots_legendre(count)
    return (x + 1) / 2, w / 2


def densities(height):
    """The last axis is air, haze and ozone."""
    return np.stack([np.exp(-height / 7.994), np.exp(-height / 1.2), np.maximum(1 - abs(height - 25) / 15, 0)], axis=-1)


def places(radius, up, count):
    """Places on rays and their lengths, dense at the lowest point; and whether rays end at the ground."""
    along = radius * up
    square = along**2 + (EARTH - radius) * (EARTH + radius)
    ground = (along < 0) & (square >= 0)
    length = np.where(ground, -along - np.sqrt(np.maximum(square, 0)),
                      np.sqrt(along**2 + (TOP - radius) * (TOP + radius)) - along)
    lowest = np.clip(-along, 0, length)
    x, w = rule(count)
    down, rise = lowest[..., None], (length - lowest)[..., None]
    t = np.concatenate([down - down * x[::-1]**3, down + rise * x**3], axis=-1)
    dt = np.concatenate([down * (3 * x**2 * w)[::-1], rise * 3 * x**2 * w], axis=-1)
    return t, dt, ground, length


def radius_at(radius, up, t):
    return np.sqrt(radius[..., None]**2 + 2 * (radius * up)[..., None] * t + t**2)


def columns(radius, up, count=96):
    t, dt, _, _ = places(radius, up, count)
    return np.einsum("...i,...ij->...j", dt, densities(radius_at(radius, up, t) - EARTH))


def depth(cols, takes):
    return cols @ takes


def sun_share(radius, up):
    dip = -np.arccos(np.minimum(EARTH / radius, 1))
    above = np.clip((np.arcsin(np.clip(up, -1, 1)) - dip) / 0.00465, -1, 1)
    return 0.5 + (np.arcsin(above) + above * np.sqrt(1 - above**2)) / np.pi


def columns_of_sun():
    """Interpolated: the logarithm of columns by the root of the height and that of the angle above the horizon."""
    height, angle = np.linspace(0, 10, 81)**2, np.linspace(0, 1.36, 160)**2
    radius = EARTH + height[:, None] + 0 * angle
    up = np.sin(np.minimum(angle - np.arccos(EARTH / radius), np.pi / 2))
    logs = np.log(columns(radius, up, 48) + 1e-12)
    splines = [RectBivariateSpline(np.sqrt(height), np.sqrt(angle), logs[..., i]) for i in range(3)]

    def at(radius, up):
        above = np.maximum(np.arcsin(np.clip(up, -1, 1)) + np.arccos(np.minimum(EARTH / radius, 1)), 0)
        height = np.clip(radius - EARTH, 0, 100)
        return np.exp(np.stack([spline.ev(np.sqrt(height), np.sqrt(above)) for spline in splines], axis=-1))
    return at


SUN_COLUMNS = columns_of_sun()


class Air:
    def __init__(self, altitude, turbidity, albedo):
        haze = (0.04608 * turbidity - 0.04586) * UM**-1.3 / 1.2
        self.takes = np.stack([RAYLEIGH, haze, OZONE])
        self.scatters = np.stack([RAYLEIGH, SCATTERED * haze])
        self.sun, self.albedo = np.radians(altitude), albedo
        self.tabulate()
        self.ground = self.sky_on_ground()

    def sunlight(self, radius, up):
        share = sun_share(radius, up)
        up = np.maximum(up, -np.sqrt(np.maximum(1 - (EARTH / radius)**2, 0)))
        return share[..., None] * np.exp(-depth(SUN_COLUMNS(radius, up), self.takes))

    def steps(self, radius, up, near, sun, count):
        """The densities along rays, the shares of light from there that reach the eye, and the rays' ends."""
        t, dt, ground, length = places(radius, up, count)
        r = radius_at(radius, up, t)
        local = ((radius * np.sin(sun))[..., None] + t * near[..., None]) / r
        dense = densities(r - EARTH)
        path = np.cumsum(dense * dt[..., None], axis=-2) - 0.5 * dense * dt[..., None]
        through = np.exp(-depth(path, self.takes)) * dt[..., None]
        end = np.exp(-depth((dense * dt[..., None]).sum(axis=-2), self.takes))
        below = (radius * np.sin(sun) + length * near) / EARTH
        return dense, through, r, local, ground, end, below

    def second(self, height, sun):
        rises, weights = rule(12)
        up = np.concatenate([rises, -rises])[:, None] + np.zeros(6)
        turns = np.pi * (np.arange(6) + 0.5) / 6 + 0 * up
        near = up * np.sin(sun) + np.sqrt(1 - up**2) * np.cos(sun) * np.cos(turns)
        share = np.concatenate([weights, weights])[:, None, None] / 12
        radius = EARTH + height + 0 * up
        dense, through, r, local, ground, end, below = self.steps(radius, up, near, sun, 40)
        scattered = dense[..., :2] @ self.scatters * through
        once = (scattered * self.sunlight(r, local)).sum(axis=-2) / (4 * np.pi)
        back = np.where(ground[..., None], end * self.albedo, 0)
        lit = self.sunlight(EARTH + 0 * below, below) * np.maximum(below, 0)[..., None]
        once += back / np.pi * lit
        again = scattered.sum(axis=-2) + back
        once, again = ((share * value).sum(axis=(0, 1)) for value in (once, again))
        return once / (1 - again)

    def tabulate(self):
        self.rows = 100 * np.linspace(0, 1, 20)**2.5
        reach = np.radians(12)
        self.suns = np.linspace(max(self.sun - reach, np.radians(-30)), min(self.sun + reach, np.pi / 2), 21)
        values = [[self.second(height, sun) for sun in self.suns] for height in self.rows]
        self.table = RegularGridInterpolator((self.rows**0.4, self.suns), np.log(np.array(values) + 1e-30),
                                             method="cubic")

    def echo(self, height, up):
        sun = np.clip(np.arcsin(np.clip(up, -1, 1)), self.suns[0], self.suns[-1])
        return np.exp(self.table(np.stack([np.clip(height, 0, 100)**0.4, sun], axis=-1)))

    def light(self, height, up, near, count=160):
        """The spectrum of directions, for sunlight of 1."""
        up, near = np.asarray(up, float), np.asarray(near, float)
        radius = EARTH + height + 0 * up
        dense, through, r, local, ground, end, below = self.steps(radius, up, near, self.sun, count)
        lit, air, haze = self.sunlight(r, local), dense[..., :1] * self.scatters[0], dense[..., 1:2] * self.scatters[1]
        by_air = 3 / (16 * np.pi) * (1 + near**2)
        by_haze = (1 - FORWARD**2) / (4 * np.pi * (1 + FORWARD**2 - 2 * FORWARD * near)**1.5)
        total = lit * (air * by_air[..., None, None] + haze * by_haze[..., None, None])
        total += (air + haze) * self.echo(r - EARTH, local)
        total = (total * through).sum(axis=-2)
        if ground.any():
            on_ground = self.sunlight(EARTH + 0 * below, below) * np.maximum(below, 0)[..., None] + self.ground
            total += np.where(ground[..., None], end * self.albedo / np.pi * on_ground, 0)
        return total

    def sky_on_ground(self):
        rises, weights = rule(32)
        up = rises[:, None] + np.zeros(48)
        turns = np.pi * (np.arange(48) + 0.5) / 48
        near = up * np.sin(self.sun) + np.sqrt(1 - up**2) * np.cos(self.sun) * np.cos(turns)
        light = self.light(0.0, up, near, 64)
        return (light * (2 * np.pi * up * weights[:, None] / 48)[..., None]).sum(axis=(0, 1))

    def sunbeam(self, height):
        radius, up = np.array(EARTH + height), np.array(np.sin(self.sun))
        up = np.maximum(up, -np.sqrt(np.maximum(1 - (EARTH / radius)**2, 0)))
        return sun_share(radius, np.array(np.sin(self.sun))) * np.exp(-depth(columns(radius, up, 400), self.takes))


def rgb(spectrum):
    """kcd / m2 or klx of shares of sunlight."""
    return TO_RGB @ (0.683 * 10 * OBSERVER.T @ (SENT * spectrum))


def sun_of_pvlib(altitude, turbidity):
    """The sun by SPECTRL2, in air without water. SPECTRL2 lets light pass through as many times the upward haze as air. Haze
    lies lower, and its longer way is that of C. Gueymard (REST2: High-Performance Solar Radiation Model, 2008)."""
    zenith = 90 - altitude
    air = get_relative_airmass(zenith, model="kastenyoung1989")
    haze = 1 / (np.cos(np.radians(zenith)) + 0.16851 * zenith**0.18198 * (95.318 - zenith)**-1.9542)
    depth_500 = (0.04608 * turbidity - 0.04586) * 0.5**-1.3
    light = spectrl2(zenith, zenith, 0, 0, 101325, air, 0, 0.35, depth_500 * haze / air, dayofyear=94, alpha=1.3)
    return np.interp(NM, light["wavelength"], light["dni"][:, 0] / light["dni_extra"][:, 0])


def main():
    for day in (90, 2), (60, 2), (45, 3), (20, 3), (10, 4), (5, 2):
        print("        {%g, %g, {%.5gf, %.5gf, %.5gf}}," % (*day, *rgb(sun_of_pvlib(*day))))
    days = [(60, 2, 0.2, 0), (20, 3, 0.2, 0), (5, 4, 0.2, 0), (80, 10, 0.5, 0), (-4, 2, 0.2, 0), (15, 3, 0.3, 10000)]
    if len(sys.argv) > 1:
        days = [tuple(map(float, word.split(":"))) for word in sys.argv[1:]]
    for altitude, turbidity, albedo, height in days:
        air, km = Air(altitude, turbidity, albedo), height / 1000
        print("sun {%g, %g, %g, %g}: {%.5g, %.5g, %.5g}" % (altitude, turbidity, albedo, height, *rgb(air.sunbeam(km))))
        for rise, turn in ((80, 90), (20, 20), (20, 90), (40, 180), (2, 0), (2, 180)) + (((-30, 60),) if km else ()):
            up, level = np.sin(np.radians(rise)), np.cos(np.radians(rise))
            near = up * np.sin(air.sun) + level * np.cos(air.sun) * np.cos(np.radians(turn))
            print("        {{%g, %g, %gf, %g}, %d, %d, {%.5gf, %.5gf, %.5gf}}," % (
                altitude, turbidity, albedo, height, rise, turn, *rgb(air.light(km, [up], [near])[0])), flush=True)


if __name__ == "__main__":
    main()
