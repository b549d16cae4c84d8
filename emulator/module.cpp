/* module.cpp: reads the text of a module: its variables, and where its functions are. */
#include "emulator/ptx.hpp"
#include "emulator/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace ptx {

std::vector<std::string> cut(const std::string &text, char at) {
    std::vector<std::string> parts;
    size_t from = 0;
    for (size_t to; (to = text.find(at, from)) != std::string::npos; from = to + 1)
        parts.push_back(text.substr(from, to - from));
    parts.push_back(text.substr(from));
    return parts;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

size_t after_word(const std::string &text, const char *word, size_t from) {
    const size_t at = text.find(word, from);
    return at == std::string::npos ? at : at + strlen(word);
}

size_t next_line(const std::string &text, size_t from) {
    return std::min(text.find('\n', from), text.size() - 1) + 1;
}

static size_t end_of_declaration(const std::string &text, size_t from) {
    const size_t end = text.find(';', from);
    if (end == std::string::npos)
        throw Fault("the text ends within a declaration", EMULATOR_UNKNOWN_INSTRUCTION);
    return end;
}

size_t type_bytes(const std::string &type) {
    const std::string digits = type.substr(type.find_first_of("0123456789", 1));
    return (size_t)atoi(digits.c_str()) / 8;
}

Declared declared(const std::string &text) {
    Declared d = {"", 0, 1, false};
    size_t each = 0, i = 0;
    while (i < text.size()) {
        if (isspace((unsigned char)text[i])) {
            i++;
            continue;
        }
        size_t end = i;
        while (end < text.size() && !isspace((unsigned char)text[end]) && text[end] != '[' && text[end] != '=')
            end++;
        const std::string word = text.substr(i, end - i);
        if (word == ".align" || word == ".ptr") {
            if (word == ".align") {
                size_t used;
                d.alignment = std::stoul(text.substr(end), &used);
                end += used;
            }
        } else if (word[0] == '.' && word.size() > 2 && isdigit((unsigned char)word[2]))
            each = type_bytes(word);
        else if (word[0] != '.') {
            d.name = word;
            d.bytes = each;
            if (end < text.size() && text[end] == '[') {
                const size_t n = strtoul(text.c_str() + end + 1, nullptr, 10);
                d.open = text[end + 1] == ']';
                d.bytes = each * n;
            }
            break;
        }
        i = end;
    }
    d.alignment = std::max(d.alignment, each);
    return d;
}

/* The initial value of a variable, `{1, 2, ...}` of values of its type, or one. */
static void initialize(Variable &variable, const std::string &text, size_t each) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos)
        return;
    size_t at = 0;
    for (size_t i = equals + 1; i < text.size() && at + each <= variable.bytes;) {
        if (!isdigit((unsigned char)text[i]) && text[i] != '-') {
            i++;
            continue;
        }
        uint64_t value;
        size_t end = i;
        while (end < text.size() && (isalnum((unsigned char)text[end]) || text[end] == '-'))
            end++;
        const std::string word = text.substr(i, end - i);
        if (word.starts_with("0f") || word.starts_with("0F") || word.starts_with("0d"))
            value = strtoull(word.c_str() + 2, nullptr, 16);
        else
            value = word[0] == '-' ? (uint64_t)strtoll(word.c_str(), nullptr, 0) : strtoull(word.c_str(), nullptr, 0);
        memcpy(variable.memory + at, &value, each);
        at += each;
        i = end;
    }
}

static std::string without_comments(const std::string &text) {
    std::string out;
    for (size_t i = 0; i < text.size(); i++)
        if (text.compare(i, 2, "//") == 0) {
            i = std::min(text.find('\n', i), text.size()) - 1;
        } else if (text.compare(i, 2, "/*") == 0)
            i = std::min(text.find("*/", i), text.size()) + 1;
        else
            out += text[i];
    return out;
}

void read_module(Module &module) {
    if (module.read)
        return;
    module.read = true;
    if (module.text.find(".version") == std::string::npos)
        throw Fault("the text is not PTX: it has no .version", EMULATOR_UNKNOWN_INSTRUCTION);
    module.text = without_comments(module.text);
    const std::string &text = module.text;
    size_t i = 0;
    while (i < text.size()) {
        if (isspace((unsigned char)text[i])) {
            i++;
            continue;
        }
        if (text.find_first_of(";{", i) == std::string::npos)
            break;
        if (text.compare(i, 8, ".version") == 0 || text.compare(i, 7, ".target") == 0 ||
            text.compare(i, 13, ".address_size") == 0) {
            i = next_line(text, i);
            continue;
        }
        const std::string head = text.substr(i, text.find_first_of(";{", i) - i);
        if (head.find(".entry") != std::string::npos || head.find(".func") != std::string::npos) {
            const size_t brace = text.find_first_of(";{", i);
            if (text[brace] == ';') { /* declared only */
                i = brace + 1;
                continue;
            }
            size_t depth = 0, to = brace;
            do
                if (to >= text.size())
                    throw Fault("the text ends within a function", EMULATOR_UNKNOWN_INSTRUCTION);
                else
                    depth += (text[to] == '{') - (text[to] == '}');
            while (to++, depth);
            const bool entry = head.find(".entry") != std::string::npos;
            size_t name = after_word(text, entry ? ".entry" : ".func", i);
            while (isspace((unsigned char)text[name]) || text[name] == '(')
                if (text[name] == '(')
                    name = std::min(text.find(')', name), text.size() - 1) + 1;
                else
                    name++;
            size_t name_end = name;
            while (is_name(text[name_end]))
                name_end++;
            module.bodies[text.substr(name, name_end - name)] = {i, to, entry};
            i = to;
        } else if (head.find(".shared") != std::string::npos && head.find("section") == std::string::npos) {
            const size_t to = end_of_declaration(text, i);
            const Declared d = declared(text.substr(i, to - i));
            module.shared[d.name] = {d.open ? 0 : d.bytes, d.alignment};
            i = to + 1;
        } else if (head.find(".const") != std::string::npos || head.find(".global") != std::string::npos) {
            const size_t to = end_of_declaration(text, i);
            const std::string all = text.substr(i, to - i);
            const Declared d = declared(all.substr(0, all.find('=')));
            Variable &variable = module.variables[d.name];
            if (variable.memory)
                throw Fault(d.name + " is declared twice", EMULATOR_UNKNOWN_INSTRUCTION);
            variable.bytes = d.bytes;
            variable.memory = (uint8_t *)take_device_memory(d.bytes, 0);
            if (!variable.memory)
                throw Fault("there is no memory for " + d.name, EMULATOR_TOO_LARGE);
            const size_t open = all.find('[');
            size_t each = d.bytes;
            if (open != std::string::npos && atoi(all.c_str() + open + 1))
                each = d.bytes / (size_t)atoi(all.c_str() + open + 1);
            initialize(variable, all, each);
            i = to + 1;
        } else
            i = next_line(text, i);
    }
}

void free_variables(Module &module) {
    for (const auto &[name, variable] : module.variables)
        if (variable.memory)
            free_device_memory(variable.memory);
    module.variables.clear();
}

} // namespace ptx
