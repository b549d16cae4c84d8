/* cuvid.h: a session of NVIDIA's video decoder that is open and does nothing.
 *
 * nvJPEG reaches the decoders in hardware through libnvcuvid, which runs a thread while any session is open. As nvJPEG
 * begins, it opens sessions and closes them again. Each time that none is left, it waits until the thread has ended.
 * This takes 0.4 of the 0.6 s of its handle and its first state on an H100. One more session, open all the time, spares
 * that. */
#ifndef GLINT_GPU_JPEG_CUVID_H
#define GLINT_GPU_JPEG_CUVID_H

/* Opens it, on the current device, at the first call; it is open until the process ends. It takes 0.04 s and a few MiB
 * of the device. Where the library or a decoder is missing, nothing happens, and beginning takes longer. */
void cuvid_stay_open(void);

#endif
