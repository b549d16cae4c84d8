/* text.hpp: parts of PTX's text. */
#ifndef GLINT_EMULATOR_TEXT_HPP
#define GLINT_EMULATOR_TEXT_HPP

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace ptx {

std::vector<std::string> cut(const std::string &text, char at);
size_t after_word(const std::string &text, const char *word, size_t from); /* npos: it is not there */
/* Where the next line begins; behind the last one, the end. */
size_t next_line(const std::string &text, size_t from);
size_t type_bytes(const std::string &type);

/* `.align 8 .b8 name[16]`, `.u64 name`: the array or variable that it declares. */
struct Declared {
    std::string name;
    size_t bytes, alignment;
    bool open; /* name[] */
};

Declared declared(const std::string &text);

/* The line of the kernel's own source where an instruction comes from, by `.loc FILE LINE COLUMN`. The code of an
 * inlined function also has the place of its call, `inlined_at FILE LINE COLUMN`, which may be inlined itself. The
 * kernel's own source is the file of the first .loc that is not inlined: its innermost line counts. */
class SourceLines {
  public:
    void begin() { own = now = 0, calls.clear(); }
    int current() const { return now; }
    /* The directive up to the end of its line. */
    void take(const std::string &text) {
        Place at = {}, call = {};
        if (sscanf(text.c_str(), ".loc %d %d %d", &at.file, &at.line, &at.column) < 2 || !at.line)
            return; /* line 0: of no line */
        const size_t inlined = after_word(text, "inlined_at", 0);
        if (inlined != std::string::npos)
            (void)sscanf(text.c_str() + inlined, "%d %d %d", &call.file, &call.line, &call.column);
        else if (!own)
            own = at.file;
        if (call.file)
            calls[at] = call;
        for (int depth = 0; depth < 64 && at.file != own && calls.count(at); depth++)
            at = calls[at];
        now = own && at.file != own ? now : at.line;
    }

  private:
    struct Place {
        int file, line, column;
        auto operator<=>(const Place &) const = default;
    };
    int own = 0, now = 0;
    std::map<Place, Place> calls;
};

} // namespace ptx

#endif
