/* parse.cpp: reads PTX: the text of a module into functions, statements into decoded instructions. */
#include "tests/emulator/ptx.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace ptx {

static std::vector<std::string> cut(const std::string &text, char at) {
    std::vector<std::string> parts;
    size_t from = 0;
    for (size_t to; (to = text.find(at, from)) != std::string::npos; from = to + 1)
        parts.push_back(text.substr(from, to - from));
    parts.push_back(text.substr(from));
    return parts;
}

static Space space_of(const std::string &word) {
    return word.starts_with("shared")  ? Space::SHARED
           : word == "global"          ? Space::GLOBAL
           : word == "local"           ? Space::LOCAL
           : word == "const"           ? Space::CONSTANT
           : word.starts_with("param") ? Space::PARAM
                                       : Space::GENERIC;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static size_t after_word(const std::string &text, const char *word, size_t from) {
    const size_t at = text.find(word, from);
    return at == std::string::npos ? at : at + strlen(word);
}

/* `.align 8 .b8 name[16]`, `.u64 name`: the array or variable that it declares. */
struct Declared {
    std::string name;
    size_t bytes, alignment;
    bool open; /* name[] */
};

static size_t type_bytes(const std::string &type) {
    const std::string digits = type.substr(type.find_first_of("0123456789", 1));
    return (size_t)atoi(digits.c_str()) / 8;
}

static Declared declared(const std::string &text) {
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
            i = text.find("*/", i) + 1;
        else
            out += text[i];
    return out;
}

void read_module(Module &module) {
    if (module.read)
        return;
    module.read = true;
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
            i = text.find('\n', i) + 1;
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
                depth += text[to] == '{' ? 1 : text[to] == '}' ? -1 : 0;
            while (to++, depth);
            size_t name = after_word(text, head.find(".entry") != std::string::npos ? ".entry" : ".func", i);
            while (isspace((unsigned char)text[name]) || text[name] == '(')
                if (text[name] == '(')
                    name = text.find(')', name) + 1;
                else
                    name++;
            size_t name_end = name;
            while (is_name(text[name_end]))
                name_end++;
            module.bodies[text.substr(name, name_end - name)] = {i, to};
            i = to;
        } else if (head.find(".shared") != std::string::npos && head.find("section") == std::string::npos) {
            const size_t to = text.find(';', i);
            const Declared d = declared(text.substr(i, to - i));
            module.shared[d.name] = {d.open ? 0 : d.bytes, d.alignment};
            i = to + 1;
        } else if (head.find(".const") != std::string::npos || head.find(".global") != std::string::npos) {
            const size_t to = text.find(';', i);
            const std::string all = text.substr(i, to - i);
            const Declared d = declared(all.substr(0, all.find('=')));
            Variable &variable = module.variables[d.name];
            variable.bytes = d.bytes;
            variable.memory = (uint8_t *)aligned_alloc(256, (d.bytes + 511) / 256 * 256);
            memset(variable.memory, 0, (d.bytes + 511) / 256 * 256);
            const size_t open = all.find('[');
            size_t each = d.bytes;
            if (open != std::string::npos && atoi(all.c_str() + open + 1))
                each = d.bytes / (size_t)atoi(all.c_str() + open + 1);
            initialize(variable, all, each);
            add_device_memory(variable.memory, variable.bytes);
            i = to + 1;
        } else
            i = text.find('\n', i) + 1;
    }
}

/* A function as it is read; .func bodies are read into the kernel that calls them, with registers of their own. */
class Reader {
  public:
    Reader(Module &from, Function &into) : module(from), kernel(into) {}

    void read(const std::string &name) {
        const uint32_t entry = body(name, true);
        (void)entry;
        while (!calls.empty()) {
            const auto [at, callee] = calls.back();
            calls.pop_back();
            if (!entries.count(callee)) {
                const uint32_t begins = body(callee, false);
                entries[callee] = begins;
            }
            kernel.code[at].target = entries[callee];
        }
        kernel.registers = next_register;
        const size_t dynamic = (kernel.shared_bytes + 127) / 128 * 128;
        kernel.shared_bytes = dynamic;
        for (size_t c : kernel.dynamic)
            kernel.constants[c] = dynamic;
        for (uint64_t c : kernel.constants)
            kernel.broadcast.insert(kernel.broadcast.end(), LANES, c);
    }

  private:
    Module &module;
    Function &kernel;
    uint32_t next_register = 0;
    std::unordered_map<std::string, int> registers;
    std::unordered_map<std::string, uint64_t> symbols; /* local: with LOCAL_WINDOW */
    std::unordered_map<std::string, uint32_t> labels, entries;
    std::map<std::string, uint64_t> shared;
    std::map<uint64_t, int> known;
    std::vector<std::pair<uint32_t, std::string>> jumps, calls;
    std::vector<std::pair<uint32_t, std::vector<std::string>>> tables;
    std::unordered_map<std::string, std::vector<std::string>> lists;
    std::map<std::string, std::vector<Parameter>> formals, formal_results;
    std::string last_label;
    int line = 0;

    [[noreturn]] void unknown(const std::string &what) const {
        throw Fault("line " + std::to_string(line) + " of the PTX: " + what);
    }

    int constant(uint64_t value) {
        const auto found = known.find(value);
        if (found != known.end())
            return found->second;
        kernel.constants.push_back(value);
        return known[value] = ~(int)(kernel.constants.size() - 1);
    }

    uint64_t local(size_t bytes, size_t alignment) {
        alignment = std::max<size_t>(alignment, 8);
        kernel.local_bytes = (kernel.local_bytes + alignment - 1) / alignment * alignment;
        const uint64_t at = kernel.local_bytes;
        kernel.local_bytes += bytes;
        return at;
    }

    int special(const std::string &name) {
        static const std::map<std::string, int> names = {{"%tid.x", TID_X},
                                                         {"%tid.y", TID_Y},
                                                         {"%tid.z", TID_Z},
                                                         {"%ntid.x", NTID_X},
                                                         {"%ntid.y", NTID_Y},
                                                         {"%ntid.z", NTID_Z},
                                                         {"%ctaid.x", CTAID_X},
                                                         {"%ctaid.y", CTAID_Y},
                                                         {"%ctaid.z", CTAID_Z},
                                                         {"%nctaid.x", NCTAID_X},
                                                         {"%nctaid.y", NCTAID_Y},
                                                         {"%nctaid.z", NCTAID_Z},
                                                         {"%laneid", LANEID},
                                                         {"%warpid", WARPID},
                                                         {"%lanemask_eq", LANEMASK_EQ},
                                                         {"%lanemask_lt", LANEMASK_LT},
                                                         {"%lanemask_le", LANEMASK_LE},
                                                         {"%lanemask_gt", LANEMASK_GT},
                                                         {"%lanemask_ge", LANEMASK_GE},
                                                         {"%smid", SMID},
                                                         {"%nsmid", NSMID},
                                                         {"%dynamic_smem_size", DYNAMIC_SMEM},
                                                         {"%clock", CLOCK},
                                                         {"%clock64", CLOCK},
                                                         {"%globaltimer", CLOCK},
                                                         {"%cluster_ctarank", CLUSTER_CTARANK}};
        const auto found = names.find(name);
        if (found == names.end())
            return -1;
        const int r = (int)next_register++;
        kernel.specials.push_back({r, found->second});
        return registers[name] = r;
    }

    /* A register, number or symbol; sets the space of a symbol. */
    int operand(const std::string &word, Space *space = nullptr) {
        const auto found = registers.find(word);
        if (found != registers.end())
            return found->second;
        if (word == "_")
            return registers["_"] = (int)next_register++;
        if (word == "WARP_SZ")
            return constant(LANES);
        const char *c = word.c_str();
        if (word[0] == '%') {
            const int r = special(word);
            if (r >= 0)
                return r;
            unknown("register " + word + " is not known");
        }
        if (word[0] == '0' && (c[1] == 'f' || c[1] == 'F'))
            return constant(strtoull(c + 2, nullptr, 16));
        if (word[0] == '0' && (c[1] == 'd' || c[1] == 'D'))
            return constant(strtoull(c + 2, nullptr, 16));
        if (isdigit((unsigned char)word[0]))
            return constant(strtoull(c, nullptr, 0));
        if (word[0] == '-')
            return constant((uint64_t) - (int64_t)strtoull(c + 1, nullptr, 0));
        const auto symbol = symbols.find(word);
        if (symbol != symbols.end()) {
            if (space && *space == Space::PARAM)
                *space = Space::LOCAL;
            return constant(symbol->second);
        }
        for (const Parameter &p : kernel.parameters)
            if (p.name == word)
                return constant(p.offset);
        const auto variable = module.variables.find(word);
        if (variable != module.variables.end())
            return constant((uint64_t)(uintptr_t)variable->second.memory);
        const auto here = shared.find(word);
        if (here != shared.end())
            return constant(here->second);
        const auto declared = module.shared.find(word);
        if (declared != module.shared.end()) {
            const auto [bytes, alignment] = declared->second;
            if (!bytes) {
                kernel.constants.push_back(0);
                kernel.dynamic.push_back(kernel.constants.size() - 1);
                return ~(int)(kernel.constants.size() - 1);
            }
            return constant(share(word, bytes, alignment));
        }
        unknown("symbol " + word + " is not known");
    }

    uint64_t share(const std::string &name, size_t bytes, size_t alignment) {
        kernel.shared_bytes = (kernel.shared_bytes + alignment - 1) / alignment * alignment;
        const uint64_t at = shared[name] = kernel.shared_bytes;
        kernel.shared_bytes += bytes;
        return at;
    }

    /* The parameters of a head's `(...)`. */
    std::vector<Parameter> parameters_of(const std::string &text, bool of_kernel, size_t *bytes) {
        std::vector<Parameter> list;
        size_t at = 0;
        for (const std::string &one : cut(text, ',')) {
            if (one.find(".param") == std::string::npos && one.find(".reg") == std::string::npos)
                continue;
            const Declared d = declared(one);
            at = (at + d.alignment - 1) / d.alignment * d.alignment;
            Parameter p = {d.name, at, d.bytes, 0};
            if (!of_kernel)
                p.local = local(d.bytes, d.alignment);
            list.push_back(p);
            at += d.bytes;
        }
        *bytes = at;
        return list;
    }

    static std::string trim(const std::string &s) {
        const size_t a = s.find_first_not_of(" \t\n"), b = s.find_last_not_of(" \t\n");
        return a == std::string::npos ? "" : s.substr(a, b - a + 1);
    }

    /* Reads a body; its first instruction. */
    uint32_t body(const std::string &name, bool of_kernel) {
        const auto found = module.bodies.find(name);
        if (found == module.bodies.end())
            unknown("function " + name + " is not there");
        const auto [from, to] = found->second;
        const std::string &text = module.text;
        const size_t brace = text.find('{', from);
        std::string head = text.substr(from, brace - from);
        registers.clear(), labels.clear(), symbols.clear(), jumps.clear(), tables.clear(), lists.clear();
        for (const auto &[r, which] : kernel.specials)
            (void)r, (void)which;
        const size_t name_at = head.find(name), open = head.find('(', name_at);
        size_t bytes = 0;
        if (of_kernel) {
            if (open != std::string::npos)
                kernel.parameters = parameters_of(head.substr(open + 1, head.find(')', open) - open - 1), true, &bytes);
            kernel.parameter_bytes = bytes;
            const size_t blocks = after_word(head, ".reqnctapercluster", 0);
            if (blocks != std::string::npos)
                kernel.cluster = (uint32_t)atoi(head.c_str() + blocks);
            const size_t most = after_word(head, ".maxntid", 0);
            if (most != std::string::npos) {
                kernel.max_threads = 1;
                for (const std::string &n : cut(head.substr(most, head.find('\n', most) - most), ','))
                    kernel.max_threads *= (uint32_t)atoi(n.c_str());
            }
        } else {
            for (const Parameter &p : formals[name])
                symbols[p.name] = p.local;
            for (const Parameter &p : formal_results[name])
                symbols[p.name] = p.local;
        }
        const uint32_t entry = (uint32_t)kernel.code.size();
        line = (int)std::count(text.begin(), text.begin() + (long)brace, '\n') + 1;
        std::string statement;
        int depth = 0;
        bool in_group = false;
        for (size_t i = brace + 1; i < to - 1; i++) {
            const char c = text[i];
            if (c == '\n')
                line++;
            const bool brace_of_operand = (c == '{' && !trim(statement).empty()) || (c == '}' && in_group);
            if (c == ';') {
                take(trim(statement), of_kernel);
                statement.clear();
            } else if (brace_of_operand) {
                in_group = c == '{';
                statement += c;
            } else if (c == '{')
                depth++;
            else if (c == '}')
                depth--;
            else if (c == ':' && text[i + 1] != ':' && text[i - 1] != ':' && trim(statement)[0] != '@' &&
                     trim(statement).find_first_of(" \t.") == std::string::npos) {
                last_label = trim(statement);
                labels[last_label] = (uint32_t)kernel.code.size();
                statement.clear();
            } else
                statement += c;
        }
        end(of_kernel);
        for (const auto &[at, label] : jumps) {
            if (!labels.count(label))
                unknown("label " + label + " is not there");
            kernel.code[at].target = labels[label];
        }
        for (const auto &[at, list] : tables)
            for (const std::string &label : list)
                kernel.code[at].targets.push_back(labels.at(label));
        return entry;
    }

    void end(bool of_kernel) {
        Instruction i;
        i.flow = of_kernel ? Flow::EXIT : Flow::RETURN;
        i.line = line;
        kernel.code.push_back(i);
    }

    void declare(const std::string &text) {
        if (text.starts_with(".reg ") || text.starts_with(".reg\t")) {
            const std::string rest = trim(text.substr(text.find_first_of(" \t", 5)));
            for (const std::string &part : cut(rest, ',')) {
                const std::string word = trim(part);
                const size_t open = word.find('<');
                if (open == std::string::npos) {
                    registers[word] = (int)next_register++;
                    continue;
                }
                const int count = atoi(word.c_str() + open + 1);
                for (int n = 0; n < count; n++)
                    registers[word.substr(0, open) + std::to_string(n)] = (int)next_register++;
            }
            return;
        }
        const Declared d = declared(text);
        if (text.starts_with(".shared"))
            share(d.name, d.bytes, d.alignment);
        else if (text.starts_with(".local") || text.starts_with(".param"))
            symbols[d.name] = local(d.bytes, d.alignment);
        else if (!text.starts_with(".pragma") && !text.starts_with(".loc"))
            unknown("directive " + text + " is not known");
    }

    /* Splits operands at the commas outside of brackets. */
    static std::vector<std::string> operands_of(const std::string &text) {
        std::vector<std::string> list;
        int depth = 0;
        std::string word;
        for (const char c : text) {
            if (c == '{' || c == '[' || c == '(')
                depth++;
            if (c == '}' || c == ']' || c == ')')
                depth--;
            if (c == ',' && !depth) {
                list.push_back(trim(word));
                word.clear();
            } else
                word += c;
        }
        if (!trim(word).empty())
            list.push_back(trim(word));
        return list;
    }

    void take(std::string text, bool of_kernel) {
        if (text.empty())
            return;
        if (text.starts_with(".branchtargets")) { /* `name: .branchtargets a, b` */
            for (const std::string &label : cut(text.substr(14), ','))
                lists[last_label].push_back(trim(label));
            return;
        }
        if (text[0] == '.') {
            declare(text);
            return;
        }
        Instruction i;
        i.line = line;
        if (text[0] == '@') {
            i.guarded = true;
            i.inverted = text[1] == '!';
            const size_t from = i.inverted ? 2 : 1, to = text.find_first_of(" \t", from);
            i.guard = operand(text.substr(from, to - from));
            text = trim(text.substr(to));
        }
        size_t end = text.find_first_of(" \t\n");
        const std::string opcode = text.substr(0, end);
        const std::vector<std::string> words = cut(opcode, '.');
        const std::vector<std::string> list =
            end == std::string::npos ? std::vector<std::string>() : operands_of(text.substr(end));
        if (control(words, list, i, of_kernel))
            return;
        i.execute = nullptr;
        for (size_t c = 1; c < words.size() && i.space == Space::GENERIC; c++)
            i.space = space_of(words[c]);
        for (const std::string &word : list)
            add_operand(word, i);
        i.execute = execute_of(words, i);
        if (!i.execute)
            unknown("instruction " + text + " is not known");
        kernel.code.push_back(i);
    }

    void add_operand(const std::string &word, Instruction &i) {
        const size_t before = i.r.size();
        if (word[0] == '[' || word[0] == '{') {
            std::string inner = word.substr(1, word.find_last_of("]}") - 1);
            if (word[0] == '[' && inner.find(',') != std::string::npos) { /* a texture: [object, {x, y}] */
                for (const std::string &one : operands_of(inner))
                    add_operand(one, i);
                return;
            }
            if (word[0] == '{') {
                for (const std::string &one : operands_of(inner))
                    i.r.push_back(operand(one));
            } else {
                const size_t plus = inner.find('+');
                i.offset = plus == std::string::npos ? 0 : strtoll(inner.c_str() + plus + 1, nullptr, 0);
                i.r.push_back(operand(trim(inner.substr(0, plus)), &i.space));
            }
        } else if (word.find('|') != std::string::npos) {
            for (const std::string &one : cut(word, '|'))
                i.r.push_back(operand(trim(one)));
        } else if (word[0] == '!') {
            if (before < 4)
                i.negated[before] = true;
            i.r.push_back(operand(trim(word.substr(1))));
        } else
            i.r.push_back(operand(word, &i.space));
        i.groups.push_back((int)(i.r.size() - before));
    }

    /* Branches, calls, barriers: instructions that decide which is next. */
    bool control(const std::vector<std::string> &words, const std::vector<std::string> &list, Instruction &i,
                 bool of_kernel) {
        const std::string &op = words[0];
        const uint32_t at = (uint32_t)kernel.code.size();
        if (op == "bra") {
            i.flow = Flow::BRANCH;
            jumps.push_back({at, list[0]});
        } else if (op == "brx") {
            i.flow = Flow::TABLE;
            i.r.push_back(operand(list[0]));
            tables.push_back({at, lists[list[1]]});
        } else if (op == "ret")
            i.flow = of_kernel ? Flow::EXIT : Flow::RETURN;
        else if (op == "exit")
            i.flow = Flow::EXIT;
        else if (op == "trap")
            i.flow = Flow::TRAP;
        else if (op == "nanosleep")
            i.flow = Flow::YIELD;
        else if (op == "call") {
            call(list, i);
            return true;
        } else if (op == "barrier" && words[1] == "cluster")
            i.flow = words[2] == "arrive" ? Flow::CLUSTER_ARRIVE : Flow::CLUSTER_WAIT;
        else if ((op == "bar" || op == "barrier")) {
            size_t w = 1;
            if (words[w] == "cta")
                w++;
            if (words[w] == "warp") {
                i.flow = Flow::CONVERGE;
                i.members = 0;
                i.r.push_back(operand(list[0]));
            } else {
                i.flow = words[w] == "arrive" ? Flow::ARRIVE : Flow::BARRIER;
                if (words[w] == "red") { /* result, barrier[, threads], predicate */
                    i.variant = words[w + 1] == "popc" ? 1 : words[w + 1] == "and" ? 2 : 3;
                    const std::string &p = list.back();
                    i.negated[0] = p[0] == '!';
                    i.groups = {operand(list[0]), operand(p[0] == '!' ? trim(p.substr(1)) : p)};
                    if (list.size() > 3)
                        unknown("bar.red of some threads is not known");
                    i.r.push_back(operand(list[1]));
                    kernel.code.push_back(i);
                    return true;
                }
                i.r.push_back(operand(list[0]));
                if (list.size() > 1)
                    i.r.push_back(operand(list[1]));
            }
        } else if (op == "membar" || op == "fence" || op == "griddepcontrol" || op == "prefetch" || op == "prefetchu" ||
                   op == "discard" || op == "applypriority" || op == "setmaxnreg")
            return true;
        else
            return false;
        kernel.code.push_back(i);
        return true;
    }

    void copy_local(uint64_t to, uint64_t from, size_t bytes, const Instruction &like) {
        for (size_t done = 0; done < bytes;) {
            const size_t each = bytes - done >= 8 ? 8 : bytes - done >= 4 ? 4 : bytes - done >= 2 ? 2 : 1;
            const std::string type = each == 8 ? "b64" : each == 4 ? "b32" : each == 2 ? "b16" : "b8";
            Instruction load = like, store = like;
            load.space = store.space = Space::LOCAL;
            const int r = (int)next_register++;
            load.r = {r, constant(from + done)}, load.groups = {1, 1};
            store.r = {constant(to + done), r}, store.groups = {1, 1};
            load.execute = execute_of({"ld", "local", type}, load);
            store.execute = execute_of({"st", "local", type}, store);
            kernel.code.push_back(load);
            kernel.code.push_back(store);
            done += each;
        }
    }

    /* call (results), function, (arguments): arguments and results are in local memory. */
    void call(const std::vector<std::string> &list, Instruction &i) {
        const bool has_result = list[0][0] == '(';
        const std::string &callee = list[has_result ? 1 : 0];
        const auto inside = [](const std::string &s) { return operands_of(s.substr(1, s.size() - 2)); };
        std::vector<std::string> results, arguments;
        if (has_result)
            results = inside(list[0]);
        if (list.size() > (has_result ? 2u : 1u))
            arguments = inside(list[has_result ? 2 : 1]);
        if (!formals.count(callee)) {
            const auto found = module.bodies.find(callee);
            if (found == module.bodies.end())
                unknown("function " + callee + " is not there");
            const std::string head = module.text.substr(
                found->second.first, module.text.find('{', found->second.first) - found->second.first);
            const size_t name = head.find(callee), open = head.find('(', name);
            size_t bytes;
            if (open != std::string::npos)
                formals[callee] = parameters_of(head.substr(open + 1, head.find(')', open) - open - 1), false, &bytes);
            const size_t before = head.find('(');
            if (before < name)
                formal_results[callee] =
                    parameters_of(head.substr(before + 1, head.find(')') - before - 1), false, &bytes);
        }
        for (size_t k = 0; k < arguments.size(); k++)
            copy_local(formals[callee][k].local, symbols.at(arguments[k]), formals[callee][k].bytes, i);
        i.flow = Flow::CALL;
        calls.push_back({(uint32_t)kernel.code.size(), callee});
        kernel.code.push_back(i);
        Instruction after = i;
        after.flow = Flow::NEXT;
        for (size_t k = 0; k < results.size(); k++)
            copy_local(symbols.at(results[k]), formal_results[callee][k].local, formal_results[callee][k].bytes, after);
    }
};

const Function &kernel_of(Module &module, const std::string &name) {
    read_module(module);
    const auto found = module.functions.find(name);
    if (found != module.functions.end())
        return found->second;
    Function &function = module.functions[name];
    function.name = name;
    Reader(module, function).read(name);
    return function;
}

} // namespace ptx
