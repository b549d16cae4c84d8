// raw_library.cpp: LibRaw reads from an Input, and writes to an image's rows.
extern "C" {
#include "core/base/input.h"
}

#include "core/codec/raw_library.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

// Decoders ask for single bytes: a window of the file is at hand.
struct RawStream : LibRaw_abstract_datastream {
    explicit RawStream(Input *input) : file(input) {}
    int valid() override { return 1; }
    int read(void *to, size_t size, size_t count) override {
        const size_t there = at < file->size ? file->size - at : 0;
        const size_t bytes = size > 0 ? std::min(count, there / size) * size : 0;
        if (!take(to, bytes))
            return 0;
        ended = ended || bytes < size * count;
        return size > 0 ? static_cast<int>(bytes / size) : 0;
    }
    int seek(INT64 offset, int whence) override {
        const INT64 from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? tell() : size();
        ended = false;
        if (from + offset < 0)
            return -1;
        at = static_cast<size_t>(from + offset);
        return 0;
    }
    INT64 tell() override { return static_cast<INT64>(at); }
    INT64 size() override { return static_cast<INT64>(file->size); }
    int get_char() override {
        unsigned char byte = 0;
        return take(&byte, 1) ? byte : -1;
    }
    char *gets(char *line, int room) override {
        int length = 0;
        while (length < room - 1) {
            const int byte = get_char();
            if (byte < 0)
                break;
            line[length++] = static_cast<char>(byte);
            if (byte == '\n')
                break;
        }
        if (room > 0)
            line[length] = '\0';
        return length > 0 ? line : nullptr;
    }
    // One value, a number by the only formats that LibRaw asks for ("%d", "%f").
    int scanf_one(const char *format, void *to) override {
        char word[24];
        int length = 0, byte = get_char();
        while (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r')
            byte = get_char();
        for (; byte > ' ' && length < static_cast<int>(sizeof word) - 1; byte = get_char())
            word[length++] = static_cast<char>(byte);
        word[length] = '\0';
        char *end = word;
        if (std::strcmp(format, "%d") == 0)
            *static_cast<int *>(to) = static_cast<int>(std::strtol(word, &end, 10));
        else if (std::strcmp(format, "%f") == 0)
            *static_cast<float *>(to) = std::strtof(word, &end);
        return end > word ? 1 : 0;
    }
    int eof() override { return ended ? 1 : 0; }
#if !LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
    void *make_jas_stream() override {
        return nullptr;
    }
#endif

  private:
    bool take(void *to, size_t bytes) {
        auto *bytes_to = static_cast<unsigned char *>(to);
        while (bytes > 0) {
            if (at < begin || at >= begin + filled) {
                begin = at;
                filled = at < file->size ? std::min(sizeof window, file->size - at) : 0;
                if (filled == 0 || !input_peek(file, begin, window, filled)) {
                    filled = 0;
                    ended = true;
                    return false;
                }
            }
            const size_t part = std::min(bytes, begin + filled - at);
            std::memcpy(bytes_to, window + (at - begin), part);
            bytes_to += part;
            bytes -= part;
            at += part;
        }
        return true;
    }

    Input *file;
    size_t at = 0, begin = 0, filled = 0;
    bool ended = false;
    unsigned char window[1 << 16] = {};
};

int raw_stream_open(libraw_data_t *raw, Input *file, bool *damaged, RawStream **stream) {
    auto *library = static_cast<LibRaw *>(raw->parent_class);
    // The last parameter's type depends on the version of the library.
    library->set_dataerror_handler([](void *user, const char *, auto) { *static_cast<bool *>(user) = true; }, damaged);
    *stream = new (std::nothrow) RawStream(file);
    return *stream ? library->open_datastream(*stream) : LIBRAW_UNSUFFICIENT_MEMORY;
}

void raw_stream_close(RawStream *stream) {
    delete stream;
}

int raw_copy(libraw_data_t *raw, void *rows, size_t stride) {
    return static_cast<LibRaw *>(raw->parent_class)->copy_mem_image(rows, static_cast<int>(stride), 0);
}
