/* tips.cpp: the meanings of the panels' figures. */
#include <string.h>

#include "app/view/ui/widgets.hpp"

namespace {

constexpr struct {
    const char *name, *words;
} tips[] = {
    {"time", "Median of the last runs: all stages of the chain, without decoding, copies to the host and drawing."},
    {"speedup",
     "How many times as fast as the lowest rung that does the same job; ≈: that one was timed on a part. Machine "
     "busy: runs differ by more than a fifth, and a ratio would say nothing."},
    {"copies", "The time, in plain copies of the same bytes on this device. 1 is as fast as memory allows."},
    {"Mpixel/s", "Millions of pixels of the result in a second."},
    {"GB/s", "The fewest bytes that the job has to move, in a second: memory gives at least as many."},
    {"GFLOP/s", "The arithmetic that the job states, in a second. Levels that need less of it may pass the roof."},
    {"must move", "Reading every input and writing every output once, whatever the level does."},
    {"arithmetic", "Additions and multiplications as the definition has them, whatever the level does."},
    {"ratio", "Arithmetic for each byte. Left of the roof's bend memory is the limit, right of it arithmetic."},
    {"copies reach", "Measured by a plain copy on this device, in this run: the slanted part of the roof."},
    {"multiply-adds reach", "Measured by multiply-adds without memory, in this run: the flat part of the roof."},
    {"threads a block", "Threads of a block share memory and wait for each other."},
    {"registers a thread", "The more registers a thread takes, the fewer threads fit on a multiprocessor at a time."},
    {"shared memory a block", "Fast memory of the multiprocessor that the block's threads fill and read together."},
    {"blocks a multiprocessor",
     "Blocks that are there at a time; threads, registers and shared memory limit their number."},
    {"occupancy",
     "Resident threads, as a share of the multiprocessor's maximum. Some work while others wait for memory."},
    {"limited by", "The resource that keeps another block from the multiprocessor: registers, threads, shared memory, "
                   "or the maximum of blocks."},
    {"a block makes", "Pixels of the result, as the kernel was launched: the picture by the number of its blocks."},
    {"a thread takes", "Pixels of the result that a thread of the processor makes at a time."},
    {"and needs",
     "Pixels of the input that a block reads: tile and halo. The larger the tile, the fewer pixels are read twice."},
    {"pixels a thread", "Pixels of the result that a thread makes. Several share their loads."},
    {"ghosts in the corner",
     "Pixels that the block in the picture's corner needs and that do not exist; the border gives their values."},
    {"shared memory holds",
     "Pixels, by the memory's size: the block loads them once, and all of its threads read them."},
    {"tile and halo", "Bytes of the input that a piece is made of: as much as caches should hold."},
    {"a pixel needs", "Pixels of the input around the pixel's own place."},
    {"now", "The power of the device at this moment, by its driver."},
    {"a frame", "Energy: the power now, for as long as a run takes."},
    {"pixels a joule", "Pixels of the result for each joule."},
    {"nodes visited per ray", "Nodes of the tree of boxes (BVH) that a ray looks into, on average."},
    {"sphere tests per ray", "Spheres that a ray is intersected with, on average: the tree keeps the others away."},
    {"energy", "Kinetic and potential together; of more than 65536 bodies counted once a second."},
    {"BVH built in", "The time to build the tree of boxes from nothing, and spheres a second."},
    {"BVH refitted in", "The tree's boxes fitted to spheres that moved: quicker than a new tree, and a little worse."},
    {"BVH size", "The tree's memory on the device."},
    {"against the reference", "Whether the level agrees with the float64 reference on a part of this picture, by the "
                              "rules of the tests (architecture.md). Each stage gets the result of the one before it."},
    {"noise", "The standard error of the shown pixels, in per cent of white, estimated from the two halves of the "
              "samples. Then the time until it has come down."},
    {"PSNR", "Peak signal-to-noise ratio: above 40 dB a difference is hardly visible."},
    {"SSIM", "Structural similarity in windows of 7 x 7 pixels (Wang et al. 2004); 1 is the same."},
    {"NCC", "Normalized cross-correlation: 1 is the same up to brightness and contrast, 0 has nothing in common."},
    {"runs", "The last runs, the newest at the right. Hollow: a warm-up, after a change. An orange line: from here on "
             "runs take "
             "longer, or shorter; the clock changed, or another program came or went."},
    {"decode", "The file becomes pixels, once a picture."},
    {"upload", "The pixels go to the device, once a picture."},
    {"download", "The result comes from the device, where the window needs its pixels in host memory."},
    {"present", "The result goes into the window's texture, by way of host memory."},
    {"update", "The result goes from OpenGL's buffer into the window's texture."},
    {"map",
     "OpenGL's texture becomes CUDA's to write to; after a key, map begins while the result is still being made."},
    {"unmap", "CUDA's texture becomes OpenGL's again."},
    {"draw", "The time until the graphics driver has drawn the picture."},
    {"overlay", "The processor lays these panels out, and they are drawn over the picture."},
    {"swap", "The drawing goes to the screen; with vertical synchronization, the wait for it."},
    {"input to swap", "From an event of the keyboard or the mouse, by the X server's clock, until the window shows its "
                      "effect. White: the median; orange: one in a hundred takes longer."},
    {"glint's part", "The program's part: from the moment that it has the event to the beginning of the swap. It "
                     "includes the run, but not the GPU's draw after that."},
    {"swap to swap",
     "From frame to frame, without pauses in which nothing was to be done. The narrower, the smoother."},
    {"these panels", "The share of these panels in every draw."},
};

} // namespace

const char *tip_of(const char *name) {
    for (const auto &row : tips)
        if (strcmp(row.name, name) == 0)
            return row.words;
    return nullptr;
}
