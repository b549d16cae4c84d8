/* glint.h: glint's filters, codecs and ray tracer as a library, for C and C++.
 * Owns the whole contract of libglint: no other header of glint is needed.
 *
 * A first program (examples/from_memory.c) blurs a picture that the program has in memory:
 *
 *     GlintError error;
 *     GlintDevice *device;
 *     GlintChain *chain;
 *     GlintPlan *plan;
 *     const GlintShape shape = {640, 480, 3, GLINT_U8};
 *     const GlintPixels in = {.pixels = picture}, out = {.pixels = result};
 *     if (glint_open(NULL, &device, &error) || glint_chain("gaussian=2,sharpen=0.8", &chain, &error) ||
 *         glint_plan(device, chain, &shape, NULL, &plan, &error) || glint_run(plan, &in, &out, NULL, &error))
 *         fprintf(stderr, "%s\n", error.sentence);
 *
 * Texts. Chains, scenes, cameras, borders and levels are texts, spelled as on glint's command line. New filters
 * therefore change no function here. glint_list tells all names and parameters as JSON. All texts are UTF-8.
 *
 * Errors. A function that can fail returns a GlintStatus, 0 being success. A GlintError that the caller provides gets
 * the status and a sentence about the fault, the place and the remedy. Every `error` may be NULL. After a failure, each
 * result that the function was to make is NULL, and the caller's pixels have any values.
 *
 * Ownership. A handle that a function makes belongs to the caller, who ends it by the function of that section that
 * ends them. All of these accept NULL. The library copies texts and arrays, except pixels. It keeps none of the
 * caller's pointers behind a call, except on a stream: there, pixels belong to the call until the stream has passed.
 *
 * Threads. Every comment says which threads may call. "Any thread" means: at any time, with handles that others
 * use at once. Only the function that ends a handle comes alone. No function asks which thread made a handle.
 *
 * Processes. The library installs no signal handlers and blocks no signal of the caller's threads. Its own threads
 * receive no signals. It prints nothing, ends no process, changes no environment, and starts no program; only
 * glint_sandbox does, whose server ends itself.
 * After fork() a child opens devices of its own. It refuses those of its parent, and their plans, with GLINT_USAGE, and
 * leaves them alone where it is to end them. Chains, images and scenes stay usable. CUDA itself works in a child only
 * if the parent has not used it before the fork.
 *
 * Environment. GLINT_MEMORY ("4G") limits the memory of the process that pictures may take, half of the machine's by
 * default. GLINT_DEVICE_MEMORY limits a GPU's. GLINT_ISA (portable, avx2, avx512) narrows the CPU's vectors. The files
 * below $XDG_CACHE_HOME/glint that `glint tune` wrote help to choose levels.
 *
 * Versions. Functions have the symbol version of the release that brought them. Options and figures begin with their
 * own size, so that they can grow: fill them by their initializer (GLINT_PLAN_OPTIONS, ...), then set members. */
#ifndef GLINT_H
#define GLINT_H

#include <stddef.h>
#include <stdint.h>

/* The initializer of a struct that begins with its size: all else 0. */
#ifdef __cplusplus
template <typename Type> inline Type glint_sized() {
    Type made = Type();
    made.size = sizeof made;
    return made;
}
#    define GLINT_SIZED(Type) glint_sized<Type>()
extern "C" {
#else
#    define GLINT_SIZED(Type)                                                                                          \
        { .size = sizeof(Type) }
#endif

#define GLINT_VERSION_MAJOR 0
#define GLINT_VERSION_MINOR 1
#define GLINT_VERSION_PATCH 0

#if defined(__GNUC__)
#    define GLINT_API __attribute__((visibility("default")))
#else
#    define GLINT_API
#endif

/* The version of the library that runs, as "0.1.0"; static. Any thread. */
GLINT_API const char *glint_version(void);

/* ---- errors ---- */

/* The numbers are those of glint's exit statuses. */
typedef enum GlintStatus {
    GLINT_OK = 0,
    GLINT_USAGE = 2,    /* the request makes no sense: an argument, a chain, a level that cannot do the job */
    GLINT_INPUT = 3,    /* a file, a picture or a scene cannot be used */
    GLINT_DEVICE = 4,   /* the device or the system failed: no GPU, no memory, no disk space */
    GLINT_STOPPED = 130 /* glint_stop, or the caller's `progress`, ended the work early */
} GlintStatus;

enum { GLINT_SENTENCE = 1020 };

/* A result of a call. The caller owns it; it needs no initialization. */
typedef struct GlintError {
    int32_t status;                /* a GlintStatus */
    char sentence[GLINT_SENTENCE]; /* "gaussian: sigma -1, want > 0"; "" after success */
} GlintError;

/* Frees memory that a function here gave: JSON (glint_list, ...) and files (glint_encode). Accepts NULL. Any thread. */
GLINT_API void glint_free(void *memory);

/* ---- devices ----
 *
 *     GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
 *     options.backend = "cpu";
 *     options.threads = 4;
 *     if (glint_open(&options, &device, &error))
 *         return fail(&error);
 *     ...
 *     glint_close(device);
 */

/* An opened processor: all cores of a CPU, or a GPU, with the memory that work on it shares. */
typedef struct GlintDevice GlintDevice;

typedef struct GlintDeviceOptions {
    size_t size;         /* of this struct in bytes */
    const char *backend; /* "cpu", "cuda", or "auto": a GPU that works, else the CPU. NULL: "auto" */
    int32_t index;       /* which of the backend's devices, from 0 on */
    int32_t threads;     /* for each run on the CPU, the caller's included: 1 to 1024. 0: as many as cores */
} GlintDeviceOptions;

#define GLINT_DEVICE_OPTIONS GLINT_SIZED(GlintDeviceOptions)

/* Opens a device; `options` may be NULL. The first call of the process looks for backends. A GPU takes 0.1 to 1 s, a
 * CPU microseconds; threads start with the first run. GLINT_USAGE for an unknown backend or a number out of range,
 * GLINT_DEVICE if there is no such device. Any thread. */
GLINT_API GlintStatus glint_open(const GlintDeviceOptions *options, GlintDevice **device, GlintError *error);

/* Gives the device back, with the pipelines that glint_filter keeps. Plans of this device must have ended. One thread,
 * as the last call with the device. */
GLINT_API void glint_close(GlintDevice *device);

/* The device as a JSON object, to be freed by glint_free. It has "backend", "name", "index", "threads", "id", "driver",
 * and in bytes "memory_total" and "memory_free"; "best" says where the choice of levels comes from. GLINT_DEVICE
 * without memory. Any thread. */
GLINT_API GlintStatus glint_describe_device(GlintDevice *device, char **json, GlintError *error);

/* A table of the library as a JSON object {"glint": TOPIC, TOPIC: [...]}, to be freed by glint_free. It is the text of
 * `glint list TOPIC --json`. Topics are "filters" (with parameters: names, kinds, ranges, defaults, help), "presets",
 * "levels", "borders", "backends", "formats", "scenes", "cameras", "looks" and "operations". GLINT_USAGE for another
 * topic. Any thread. */
GLINT_API GlintStatus glint_list(const char *topic, char **json, GlintError *error);

/* ---- chains ----
 *
 *     GlintChain *chain;
 *     if (glint_chain("resize=640:480,@film,sharpen=amount=0.8", &chain, &error))
 *         return fail(&error); // chain: column 16: no preset "flim"; did you mean "film"?
 *     puts(glint_chain_text(chain));
 *     glint_chain_free(chain);
 */

/* Filters in sequence. Nothing changes a chain once it is made. */
typedef struct GlintChain GlintChain;

/* Parses a chain, and reads the files that its filters name: pictures, tables, masks. "" lets pictures pass unchanged.
 * GLINT_USAGE, with the column, for a text that is no chain; GLINT_INPUT for a file that cannot be used. Any thread. */
GLINT_API GlintStatus glint_chain(const char *text, GlintChain **chain, GlintError *error);

/* The chain as glint_chain takes it, presets expanded and all values given. It lives as long as the chain. Any
 * thread. */
GLINT_API const char *glint_chain_text(const GlintChain *chain);

/* Ends the chain; plans that were made of it stay. One thread. */
GLINT_API void glint_chain_free(GlintChain *chain);

/* ---- pictures in the caller's memory ----
 *
 *     // Rows of 640 RGB pixels that are 2048 bytes apart:
 *     GlintPixels rows = {.pixels = memory, .row = 2048};
 *     // A stack of 16 pictures, each three planes of floats one behind the other (NCHW, contiguous):
 *     GlintPixels planes = glint_planar(&shape, memory, GLINT_HOST);
 *     // A float tensor of a GPU as PyTorch has it: data_ptr(), and stride() times 4:
 *     GlintPixels tensor = {.pixels = data, .picture = 4 * s[0], .channel = 4 * s[1], .row = 4 * s[2],
 *                           .pixel = 4 * s[3], .place = GLINT_ON_DEVICE};
 */

/* Values: u8 0 to 255, u16 0 to 65535, f32 0 to 1 from black to white (and beyond: floats are not cut off). */
typedef enum GlintType { GLINT_U8 = 0, GLINT_U16 = 1, GLINT_F32 = 2 } GlintType;

/* A picture's size. Channels: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha, which is straight. */
typedef struct GlintShape {
    size_t width, height; /* pixels, 1 at least */
    int32_t channels;     /* 1 to 4 */
    int32_t type;         /* a GlintType */
} GlintShape;

typedef enum GlintPlace {
    GLINT_HOST = 0,     /* memory of the process, pinned or not */
    GLINT_ON_DEVICE = 1 /* memory of the plan's GPU, as cudaMalloc gives it. A CPU has none */
} GlintPlace;

/* Where the values of pictures lie. Picture n has the value of column x, row y and channel c at
 *     pixels + n * picture + y * row + x * pixel + c * channel.
 * The strides are bytes, any multiple of a value's, negative ones too. Values are aligned as their type asks. A stride
 * of 0 is that of pictures that lie interleaved and packed. `channel` is then a value, `pixel` all channels, `row` all
 * pixels, and `picture` all rows. No two values of a result share memory.
 * A picture passes without a copy if the values of a pixel lie side by side, and so do the pixels of a row. On a GPU,
 * besides, the address of the first pixel and `row` are multiples of 16. Three planes pass without a copy where
 * the chain filters each channel by itself. All others are rearranged, where they lie; glint_copied counts that. */
typedef struct GlintPixels {
    void *pixels; /* of inputs never written to */
    ptrdiff_t picture, row, pixel, channel;
    int32_t place; /* a GlintPlace */
} GlintPixels;

/* Pictures of planes, one channel behind the other, without gaps (NCHW). */
static inline GlintPixels glint_planar(const GlintShape *shape, void *pixels, GlintPlace place) {
    const ptrdiff_t value = shape->type == GLINT_U8 ? 1 : shape->type == GLINT_U16 ? 2 : 4;
    const ptrdiff_t row = (ptrdiff_t)shape->width * value, plane = row * (ptrdiff_t)shape->height;
    GlintPixels planar;
    planar.pixels = pixels;
    planar.picture = plane * shape->channels;
    planar.row = row;
    planar.pixel = value;
    planar.channel = plane;
    planar.place = (int32_t)place;
    return planar;
}

/* ---- plans, and their runs ----
 *
 *     GlintPlanOptions options = GLINT_PLAN_OPTIONS;
 *     options.border = "mirror";
 *     options.pictures = 16;
 *     if (glint_plan(device, chain, &shape, &options, &plan, &error))
 *         return fail(&error);
 *     const GlintShape made = glint_plan_result(plan); // a resize makes another size
 *     while (next(&in, &out))
 *         if (glint_run(plan, &in, &out, NULL, &error))
 *             return fail(&error);
 *     glint_plan_free(plan);
 */

/* A chain bound to a device, for pictures of one shape: levels are chosen, memory is there. */
typedef struct GlintPlan GlintPlan;

/* Texts are spelled as on the command line; NULL and 0 stand for the first that is named. */
typedef struct GlintPlanOptions {
    size_t size;           /* of this struct in bytes */
    const char *border;    /* "clamp", "mirror", "wrap", "zero", "constant=VALUE" in stored values */
    const char *alpha;     /* "premultiply": transparent pixels leave no fringes; "ignore": alpha is a colour */
    const char *precision; /* values between filters: "auto", "stored" as the picture's, or "high": f32 */
    const char *level;     /* "best", or a level of `glint list levels` for the operation that it is of */
    int32_t linear;        /* 1: filter in linear light, the values being sRGB's */
    int32_t unfused;       /* 1: carry out filters of single pixels one by one. Results are the same */
    size_t pictures;       /* of a batch, which one run filters: 0 and 1 are one */
} GlintPlanOptions;
#define GLINT_PLAN_OPTIONS GLINT_SIZED(GlintPlanOptions)

/* Plans a chain for pictures of this shape; `options` may be NULL. The device outlives the plan, the chain need not.
 * GLINT_USAGE for options that make no sense, or a level that cannot do the job. GLINT_USAGE, too, for a chain that
 * looks at the picture itself, as "perspective=auto" does: that is for glint_filter. GLINT_INPUT if the chain cannot
 * take such pictures, or would take more memory than GLINT_MEMORY. GLINT_DEVICE without memory. Any thread. */
GLINT_API GlintStatus glint_plan(GlintDevice *device, const GlintChain *chain, const GlintShape *shape,
                                 const GlintPlanOptions *options, GlintPlan **plan, GlintError *error);

/* The shape of each result. Any thread. */
GLINT_API GlintShape glint_plan_result(const GlintPlan *plan);

/* The plan as a JSON object, to be freed by glint_free. "stages" is a list, each with "label", "operation" and "level".
 * "result" has "width", "height", "channels" and "type". "bytes" are those that one run takes, and "strips" is true if
 * pictures pass in parts. GLINT_DEVICE without memory. Any thread. */
GLINT_API GlintStatus glint_describe_plan(GlintPlan *plan, char **json, GlintError *error);

/* Ends the plan; waits for its runs that are on a stream. One thread, as the last call with the plan. */
GLINT_API void glint_plan_free(GlintPlan *plan);

/* A stream of the caller's: a cudaStream_t, 0 (or 1) being the default stream and 2 that of the thread. */
typedef struct GlintStream {
    void *stream;
} GlintStream;

/* Filters the plan's pictures from `in` to `out`. Both may be the same pixels, at the price of a copy. Results of a
 * batch must not overlap pictures that are yet to be read.
 * Without `stream` (NULL), all is done when it returns. A stream of the plan's GPU takes the work in its place: behind
 * all that the caller has put there, and before all that follows. If `in` and `out` are both on the device, the
 * call then returns at once; the pixels must stay until the stream has passed. With pixels of the host it waits.
 * Results are those of `glint batch` with the same options, bit for bit. Planes that pass one by one have those of gray
 * pictures.
 * GLINT_USAGE for pixels that are NULL, misaligned or in the wrong place, and for a stream on a CPU. GLINT_USAGE, too,
 * for strides under which values of a result overlap or addresses overflow. GLINT_DEVICE if the device fails, for
 * work on a stream also in a later call. GLINT_STOPPED by glint_stop.
 * Any thread: runs of one plan go on at once, each with memory of its own that the plan keeps. */
GLINT_API GlintStatus glint_run(GlintPlan *plan, const GlintPixels *in, const GlintPixels *out,
                                const GlintStream *stream, GlintError *error);

/* Waits until all runs that have returned are done, on whichever stream. GLINT_DEVICE if one of them failed. Any
 * thread. */
GLINT_API GlintStatus glint_wait(GlintPlan *plan, GlintError *error);

/* Asks the runs of the plan that are under way in other threads to end early; those return GLINT_STOPPED. Runs that
 * begin later are not concerned. Any thread; not in a signal handler. */
GLINT_API void glint_stop(GlintPlan *plan);

/* The bytes that runs of a plan have copied around the filters' own work, since the plan was made. */
typedef struct GlintCopied {
    size_t size;          /* of this struct in bytes: to be set before the call */
    uint64_t to_device;   /* from the host's memory to a GPU's */
    uint64_t from_device; /* and back */
    uint64_t
        rearranged; /* within one memory: from strides that levels do not take, and to them, as results have them */
    uint64_t runs;  /* that were counted */
} GlintCopied;
#define GLINT_COPIED GLINT_SIZED(GlintCopied)

/* Fills *copied. GLINT_USAGE if its size is not set. Any thread. */
GLINT_API GlintStatus glint_copied(GlintPlan *plan, GlintCopied *copied, GlintError *error);

/* ---- picture files ----
 *
 *     GlintImage *image, *result;
 *     if (glint_read("in.jpg", &image, &error) || glint_filter(device, chain, NULL, image, &result, &error) ||
 *         glint_write(result, "out.png", NULL, &error))
 *         return fail(&error);
 *     glint_image_free(image);
 *     glint_image_free(result);
 */

/* The pictures of a file, in host memory, with its metadata: the colour profile, Exif, XMP, times of animations, gain
 * maps. Nothing changes an image but glint_image_pixels' caller. */
typedef struct GlintImage GlintImage;

/* Decodes a file, all its pictures, by its contents. Orientation is applied; 16 bits stay, floats stay. GLINT_INPUT
 * if it is no picture, damaged, cut short, or too large for GLINT_MEMORY. Decoders run in this process: files of
 * strangers are for a sandbox. Any thread. */
GLINT_API GlintStatus glint_read(const char *path, GlintImage **image, GlintError *error);
/* Decodes a file that lies in memory, as glint_read does; the bytes are not needed behind the call. Any thread. */
GLINT_API GlintStatus glint_decode(const void *bytes, size_t size, GlintImage **image, GlintError *error);

/* Encodes the pictures in the format that the path's extension names, with the metadata that this holds, and replaces
 * a file that is there. The file appears whole, or not at all. `options` are as behind `glint batch`, without dashes:
 * "quality=90,progressive"; NULL: none. An opaque alpha channel goes where the format takes none. GLINT_INPUT if the
 * format cannot hold such pictures, GLINT_USAGE for an unknown extension or option, GLINT_DEVICE if it cannot be
 * written. Any thread; not while another one changes the pixels. */
GLINT_API GlintStatus glint_write(const GlintImage *image, const char *path, const char *options, GlintError *error);
/* Encodes into memory, to be freed by glint_free. `format` is a name of `glint list formats`: "png". Else as
 * glint_write. */
GLINT_API GlintStatus glint_encode(const GlintImage *image, const char *format, const char *options, void **bytes,
                                   size_t *size, GlintError *error);

/* An image of the caller's pixels, which are copied; `pixels` NULL: a black one. They lie in the host's memory.
 * GLINT_USAGE for a shape or strides that make no sense, GLINT_INPUT for more than GLINT_MEMORY. Any thread. */
GLINT_API GlintStatus glint_image(const GlintShape *shape, const GlintPixels *pixels, GlintImage **image,
                                  GlintError *error);

/* The number of pictures: 1, or more of animations and documents. Any thread. */
GLINT_API size_t glint_image_count(const GlintImage *image);

/* The shape of picture `index`, from 0 on, and its pixels, which live as long as the image and may be changed. Either
 * may be NULL. GLINT_USAGE if there is no such picture. Any thread. */
GLINT_API GlintStatus glint_image_pixels(GlintImage *image, size_t index, GlintShape *shape, GlintPixels *pixels,
                                         GlintError *error);

/* Ends the image. One thread. */
GLINT_API void glint_image_free(GlintImage *image);

/* Filters all pictures of an image as `glint batch` does a file, metadata and all. With options.linear, the file's
 * profile says how values stand for light; options.pictures does not count. The device keeps the last plans, so that
 * further images of the same shape find them warm. Fails as glint_plan and glint_run do. Any thread. */
GLINT_API GlintStatus glint_filter(GlintDevice *device, const GlintChain *chain, const GlintPlanOptions *options,
                                   const GlintImage *image, GlintImage **result, GlintError *error);

/* ---- files of strangers ----
 *
 *     if (argc > 1 && !strcmp(argv[1], "--serve"))
 *         glint_sandbox_serve();
 *     const char *const server[] = {"/proc/self/exe", "--serve", NULL};
 *     if (glint_sandbox(server, 60, &sandbox, &error) || glint_sandbox_read(sandbox, "in.jpg", &image, &error))
 *         return fail(&error);
 *     ...
 *     glint_sandbox_free(sandbox);
 */

/* Decoders that reach nothing: no file, no network, no other process, and no more memory, threads or time than given.
 * A process of its own decodes each file, and a server makes these processes. SECURITY.md tells what that holds. */
typedef struct GlintSandbox GlintSandbox;

/* Starts a server: the program server[0], with the arguments behind it, which NULL ends. The program calls
 * glint_sandbox_serve. Its standard input is the sandbox's; it has no other descriptors, and of the environment
 * GLINT_MEMORY, LD_LIBRARY_PATH and LD_PRELOAD. `seconds`, 1 to 86400, are for each header, and for each file.
 * GLINT_DEVICE if the program cannot be executed. Any thread; the sandbox outlives the thread. */
GLINT_API GlintStatus glint_sandbox(const char *const *server, uint32_t seconds, GlintSandbox **sandbox,
                                    GlintError *error);

/* The server's work: does not return, and the process ends with the sandbox. The process must have one thread. */
GLINT_API void glint_sandbox_serve(void);

/* Decodes a file as glint_read does, or one in memory as glint_decode does, by a process that reaches nothing. The
 * pixels, the metadata and the words of an error are then as the file wants them. GLINT_INPUT, too, for a decoder that
 * crashes, takes too long, or tries what it may not. GLINT_DEVICE if the system lets no decoder be confined, or the
 * server has ended. GLINT_USAGE in a forked child. Any thread. */
GLINT_API GlintStatus glint_sandbox_read(GlintSandbox *sandbox, const char *path, GlintImage **image,
                                         GlintError *error);
GLINT_API GlintStatus glint_sandbox_decode(GlintSandbox *sandbox, const void *bytes, size_t size, GlintImage **image,
                                           GlintError *error);

/* Ends the server, and waits for that. One thread. */
GLINT_API void glint_sandbox_free(GlintSandbox *sandbox);

/* ---- comparison ----
 *
 *     GlintComparison figures = GLINT_COMPARISON;
 *     if (glint_compare(device, &shape, &before, &after, &figures, &error) == GLINT_OK)
 *         printf("PSNR %g dB, SSIM %g, FLIP %g\n", figures.psnr, figures.ssim, figures.flip);
 */

/* How far two pictures are apart: the figures of `glint compare`. Values count as stored, alpha with the colours. */
typedef struct GlintComparison {
    size_t size;        /* of this struct in bytes: to be set before the call */
    double psnr;        /* decibels; infinite where nothing differs */
    double ssim;        /* structural similarity, 1 where nothing differs. NaN if it has no meaning */
    double ncc;         /* normalized cross-correlation, -1 to 1 */
    double max, mean;   /* of the absolute differences of two values, as stored */
    uint64_t differing; /* pixels that differ */
    uint64_t x, y;      /* where the largest difference is first */
    double flip;        /* FLIP's mean error, 0 to 1: of bytes and 16 bits as sRGB, of f32 as light */
} GlintComparison;
#define GLINT_COMPARISON GLINT_SIZED(GlintComparison)

/* Compares two pictures of one shape in the host's memory, by the device and the CPU. GLINT_USAGE for pixels that make
 * no sense, or figures without their size; GLINT_DEVICE without memory. Any thread. */
GLINT_API GlintStatus glint_compare(GlintDevice *device, const GlintShape *shape, const GlintPixels *a,
                                    const GlintPixels *b, GlintComparison *figures, GlintError *error);

/* ---- scenes ----
 *
 *     GlintSpheres spheres = GLINT_SPHERES;
 *     spheres.count = 1000;
 *     spheres.xyz = places;
 *     spheres.colour = colours;
 *     GlintTraceOptions options = GLINT_TRACE_OPTIONS;
 *     options.look = "paths";
 *     options.samples = 64;
 *     options.denoise = 1;
 *     if (glint_spheres(&spheres, &scene, &error) || glint_trace(device, scene, &options, &out, &error))
 *         return fail(&error);
 *     glint_scene_free(scene);
 */

/* Spheres, triangles, materials, lights and a camera. Nothing changes a scene once it is made. */
typedef struct GlintScene GlintScene;

/* Makes a scene of a text as `glint trace` takes it: a generator ("spheres=count=400:seed=7") or a file, and changes
 * behind a comma each ("cloud,sun=altitude=20,sphere=7:red=1"). GLINT_USAGE for a text that makes no sense, GLINT_INPUT
 * for a file that cannot be used. Any thread. */
GLINT_API GlintStatus glint_scene(const char *text, GlintScene **scene, GlintError *error);

/* Spheres as arrays, which are copied. Each stride is in bytes from one sphere to the next; 0: there are no gaps. */
typedef struct GlintSpheres {
    size_t size;      /* of this struct in bytes */
    size_t count;     /* spheres, 1 at least */
    const float *xyz; /* three numbers each, within +-1e9 world units: x to the right, y up, z towards the eye */
    ptrdiff_t xyz_stride;
    const float *radius; /* 1e-6 to 1e9 world units; NULL: 1 */
    ptrdiff_t radius_stride;
    const float *colour; /* red, green and blue, 0 to 1, of linear light; NULL: 0.8 each */
    ptrdiff_t colour_stride;
    const uint32_t *material; /* 0: plain, else the number in `materials`, from 1 on; NULL: plain */
    ptrdiff_t material_stride;
    const char *const
        *materials; /* "metal", "glass", "light", or a sphere's parameters: "material=metal:roughness=0.3" */
    size_t material_count;
    const char *changes; /* as behind a scene: "sun=altitude=20,ground=y=-3"; NULL: none */
} GlintSpheres;
#define GLINT_SPHERES GLINT_SIZED(GlintSpheres)

/* Makes a scene of spheres, seen from the front by a perspective camera that has all of them in the picture.
 * GLINT_USAGE for numbers out of range or texts that make no sense; the sentence names the sphere. GLINT_INPUT for more
 * spheres than GLINT_MEMORY holds. Any thread. */
GLINT_API GlintStatus glint_spheres(const GlintSpheres *spheres, GlintScene **scene, GlintError *error);

/* Ends the scene, which no trace uses any more. One thread. */
GLINT_API void glint_scene_free(GlintScene *scene);

/* Texts are spelled as for `glint trace`; NULL and 0 stand for the first that is named. */
typedef struct GlintTraceOptions {
    size_t size;          /* of this struct in bytes */
    size_t width, height; /* of the picture: 0 is 1024 */
    int32_t type;         /* GLINT_U8: as a screen shows it; GLINT_F32: linear light, of the looks paths and whitted */
    int32_t denoise;      /* 1: the look paths loses its noise */
    const char *look;     /* "classic", "whitted", "paths": `glint list looks` */
    const char *camera;   /* "perspective=z=1500:angle=45". NULL: the scene's, else "orthographic" */
    const char *level;    /* "best" */
    uint32_t samples;     /* of light for each pixel: 0 is 16 for paths, 1 for whitted */
    uint32_t depth;       /* surfaces that scatter light: 0 is 5 for whitted, any number for paths */
    uint32_t seed;        /* of random numbers of light: 0 is 1 */
    float exposure;       /* a factor on light: 0 is 1 */
    /* Called by the tracing thread now and then with the share of the work that is done, 0 to 1, if it is not NULL.
     * Anything but 0 ends the trace early. It must end neither the scene nor the device. */
    int (*progress)(void *context, double share);
    void *context; /* for `progress` */
} GlintTraceOptions;
#define GLINT_TRACE_OPTIONS GLINT_SIZED(GlintTraceOptions)

/* Traces a scene into `out`: RGB, of 3 channels, by any strides, in the host's memory or the device's. `options` may be
 * NULL. All is done when it returns. GLINT_USAGE for options or pixels that make no sense, GLINT_INPUT for more than
 * GLINT_MEMORY, GLINT_DEVICE if the device fails, GLINT_STOPPED by `progress`. Any thread. */
GLINT_API GlintStatus glint_trace(GlintDevice *device, const GlintScene *scene, const GlintTraceOptions *options,
                                  const GlintPixels *out, GlintError *error);

#ifdef __cplusplus
}
#endif

#endif
