#!/usr/bin/env python3
"""packets.py FOLDER: packets of tev's protocol, seeds of fuzz_tev.c that tests/unit/test_tev_packet.c knows the contents of.
tevclient 1.0.4 (pip) makes the newest types; struct makes the older ones, by tev's Ipc.h."""
import struct
import sys

import numpy as np
import tevclient
from tevclient import packet


def old(kind, body):
    return struct.pack("<IB", len(body) + 5, kind) + body


def drawing():
    return [
        tevclient.vg_save(),
        tevclient.vg_fill_color(1, 0.5, 0.25, 0.75),
        tevclient.vg_stroke_color(0, 1, 0, 1),
        tevclient.vg_stroke_width(3, tevclient.ScaleKind.Absolute),
        tevclient.vg_begin_path(),
        tevclient.vg_move_to(1, 2),
        tevclient.vg_line_to(3, 4),
        tevclient.vg_arc_to(5, 6, 7, 8, 9),
        tevclient.vg_arc(10, 11, 12, 0, 1.5, tevclient.Winding.Clockwise),
        tevclient.vg_bezier_to(1, 2, 3, 4, 5, 6),
        tevclient.vg_quad_to(1, 2, 3, 4),
        tevclient.vg_close_path(),
        tevclient.vg_path_winding(2),
        tevclient.vg_circle(8, 9, 2),
        tevclient.vg_ellipse(8, 9, 2, 3),
        tevclient.vg_rect(1, 2, 3, 4),
        tevclient.vg_rounded_rect(1, 2, 3, 4, 1),
        tevclient.vg_rounded_rect_varying(1, 2, 3, 4, 0.25, 0.5, 0.75, 1),
        tevclient.vg_fill(),
        tevclient.vg_stroke(),
        tevclient.vg_debug_dump_path_cache(),
        tevclient.vg_font_face("sans"),
        tevclient.vg_font_size(12),
        tevclient.vg_text_align(tevclient.TextAlign.Center | tevclient.TextAlign.Top),
        tevclient.vg_text(4, 5, "größer"),
        tevclient.vg_restore(),
    ]


def shapes():
    """A ring of 40 x 40 around a hole, a bow tie, and a white line."""
    return [
        tevclient.vg_fill_color(1, 0, 0, 1),
        tevclient.vg_begin_path(),
        tevclient.vg_rect(4, 4, 40, 40),
        tevclient.vg_rect(14, 14, 20, 20),
        tevclient.vg_path_winding(2),
        tevclient.vg_fill(),
        tevclient.vg_begin_path(),
        tevclient.vg_fill_color(0, 0, 1, 0.5),
        *(tevclient.vg_move_to(x, y) if i == 0 else tevclient.vg_line_to(x, y)
          for i, (x, y) in enumerate([(50, 4), (60, 24), (60, 4), (50, 24)])),
        tevclient.vg_fill(),
        tevclient.vg_begin_path(),
        tevclient.vg_stroke_color(1, 1, 1, 1),
        tevclient.vg_stroke_width(2),
        tevclient.vg_move_to(48, 40),
        tevclient.vg_line_to(60, 40),
        tevclient.vg_stroke(),
    ]


def values(height, width, channels):
    """Value c of pixel x, y is 100 y + 10 x + c."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    return (100 * y + 10 * x + c).astype("<f4")


def planes(height, width, channels):
    return values(height, width, channels).transpose(2, 0, 1).tobytes()


part = struct.pack("<iiii", 1, 0, 3, 2)  # x, y, width, height
seeds = {
    "open": packet.open_image("/a folder/photo.exr", "R,G", True),
    "reload": packet.reload_image("photo.exr", False),
    "close": packet.close_image("render"),
    "create": packet.create_image("render", 5, 4, ["R", "G", "B", "A"], True),
    "create-layers": packet.create_image(
        "layers", 5, 4, ["B", "R", "G", "albedo.R", "albedo.G", "albedo.B", "depth.Z", "uv.U", "uv.V"], False),
    "create-many": packet.create_image("many", 2, 2, [f"spectrum.{i}" for i in range(8)] + ["spectrum.A"], False),
    "update": packet.update_image("render", values(2, 3, 4), None, 1, 2, False),
    "update-one": packet.update_image("render", values(2, 3, 1)[:, :, 0], ["G"], 0, 0, True),
    "update-layers": packet.update_image("layers", values(4, 5, 3), ["albedo.G", "depth.Z", "uv.V"]),
    "draw": packet.update_vector_graphics("render", drawing(), True, False),
    "draw-shapes": packet.update_vector_graphics("render", shapes(), False, True),
    "open-oldest": old(0, b"\1photo.exr:R\0"),
    "update-oldest": old(3, b"\0render\0B\0" + part + planes(2, 3, 1)),
    "update-older": old(5, b"\0render\0" + struct.pack("<i", 2) + b"G\0R\0" + part + planes(2, 3, 2)),
    # The second channel backwards would have a negative stride: offsets and strides alone, one value in between.
    "update-strides": old(6, b"\0render\0" + struct.pack("<i", 2) + b"R\0B\0" + part + struct.pack("<qqqq", 1, 0, 3, 2)
                          + np.arange(20, dtype="<f4").tobytes()),
    # A channel without a stride: one value for all pixels.
    "update-still": old(6, b"\0render\0" + struct.pack("<i", 1) + b"A\0" + part + struct.pack("<qq", 0, 0)
                        + struct.pack("<f", 0.5)),
}
for name, data in seeds.items():
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(bytes(data))
