"""icc-cmyk.tif as JPEG XL: its inks, of which the highest values are none there, the black as an extra channel, and its
profile. A program in C, since no module for Python writes such a file; it needs cc and libjxl. tests/cli/test_icc.sh
compares the picture read from it with icc-cmyk-srgb.png."""

import pathlib
import subprocess
import tempfile

import numpy
from PIL import Image

PROGRAM = r"""
#include <jxl/encode.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned char file[1 << 20];

/* PROFILE COLOURS BLACK WIDTH HEIGHT SIZE-OF-PROFILE */
int main(int argc, char **argv) {
    unsigned char *read[3];
    const int width = atoi(argv[4]), height = atoi(argv[5]), pixels = width * height;
    const int sizes[3] = {argc > 6 ? atoi(argv[6]) : 0, 3 * pixels, pixels};
    for (int i = 0; i < 3; i++) {
        FILE *in = fopen(argv[1 + i], "rb");
        read[i] = malloc(sizes[i]);
        if (!in || fread(read[i], 1, sizes[i], in) != (size_t)sizes[i])
            return 1;
    }
    JxlEncoder *encoder = JxlEncoderCreate(NULL);
    JxlBasicInfo info;
    JxlExtraChannelInfo black;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = width;
    info.ysize = height;
    info.bits_per_sample = 8;
    info.num_color_channels = 3;
    info.num_extra_channels = 1;
    info.uses_original_profile = JXL_TRUE;
    JxlEncoderInitExtraChannelInfo(JXL_CHANNEL_BLACK, &black);
    black.bits_per_sample = 8;
    const JxlPixelFormat three = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0}, one = {1, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    if (JxlEncoderSetCodestreamLevel(encoder, 10) || JxlEncoderSetBasicInfo(encoder, &info) ||
        JxlEncoderSetExtraChannelInfo(encoder, 0, &black) || JxlEncoderSetICCProfile(encoder, read[0], sizes[0]))
        return 1;
    JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (JxlEncoderSetFrameLossless(settings, JXL_TRUE) ||
        JxlEncoderAddImageFrame(settings, &three, read[1], sizes[1]) ||
        JxlEncoderSetExtraChannelBuffer(settings, &one, read[2], sizes[2], 0))
        return 1;
    JxlEncoderCloseInput(encoder);
    unsigned char *next = file;
    size_t left = sizeof file;
    if (JxlEncoderProcessOutput(encoder, &next, &left))
        return 1;
    return fwrite(file, 1, sizeof file - left, stdout) != sizeof file - left;
}
"""

folder = pathlib.Path(__file__).parent
image = Image.open(folder / "icc-cmyk.tif")
inks = 255 - numpy.asarray(image)
with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    (place / "program.c").write_text(PROGRAM)
    (place / "profile").write_bytes(image.info["icc_profile"])
    (place / "colours").write_bytes(inks[..., :3].tobytes())
    (place / "black").write_bytes(inks[..., 3].tobytes())
    subprocess.run(["cc", "-o", "program", "program.c", "-ljxl"], cwd=place, check=True)
    made = subprocess.run(["./program", "profile", "colours", "black", *map(str, image.size), str(len(image.info["icc_profile"]))],
                          cwd=place, check=True, capture_output=True)
(folder / "icc-cmyk.jxl").write_bytes(made.stdout)
