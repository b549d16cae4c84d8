/* parse.cpp: reads functions of PTX: statements into decoded instructions. */
#include "emulator/execute.hpp"
#include "emulator/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace ptx {

static Space space_of(const std::string &word) {
    return word.starts_with("shared")  ? Space::SHARED
           : word == "global"          ? Space::GLOBAL
           : word == "local"           ? Space::LOCAL
           : word == "const"           ? Space::CONSTANT
           : word.starts_with("param") ? Space::PARAM
                                       : Space::GENERIC;
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
        order_code(kernel);
        const size_t dynamic = (kernel.shared_bytes + 127) / 128 * 128;
        kernel.shared_bytes = dynamic;
        for (const int r : dynamics)
            std::fill_n(kernel.registers.begin() + r, LANES, (uint32_t)dynamic);
        for (const int r : long_dynamics)
            fill(Register{r, Kind::LONG}, dynamic);
    }

  private:
    Module &module;
    Function &kernel;
    /* Where a warp has a register: the number of its first word. */
    struct Register {
        int r;
        Kind kind;
    };
    int masks = 0, masks_left = 0; /* words for predicates */
    std::unordered_map<std::string, Register> registers;
    std::unordered_map<std::string, uint64_t> symbols; /* local: with LOCAL_WINDOW */
    std::unordered_map<std::string, uint32_t> labels, entries;
    std::map<std::string, uint64_t> shared;
    std::map<std::pair<Kind, uint64_t>, int> known; /* constants */
    std::vector<int> dynamics, long_dynamics;       /* constants that are the offset of dynamic shared memory */
    std::vector<std::pair<uint32_t, std::string>> jumps, calls;
    std::vector<std::pair<uint32_t, std::vector<std::string>>> tables;
    std::unordered_map<std::string, std::vector<std::string>> lists;
    std::map<std::string, std::vector<Parameter>> formals, formal_results;
    std::string last_label;
    SourceLines source_lines;
    int line = 0;

    [[noreturn]] void unknown(const std::string &what) const {
        Fault fault(what, EMULATOR_UNKNOWN_INSTRUCTION);
        fault.source = source_lines.current(), fault.line = line;
        throw Fault(fault);
    }

    /* A new register, which has no value yet. */
    Register allocate(Kind kind) {
        const auto take = [&](size_t words) {
            const int r = (int)kernel.registers.size();
            kernel.registers.resize(kernel.registers.size() + words, 0xBAADF00D);
            return r;
        };
        if (kind != Kind::PREDICATE)
            return {take(kind == Kind::LONG ? 2 * LANES : LANES), kind};
        if (!masks_left)
            masks = take(LANES), masks_left = LANES;
        masks_left--;
        return {masks++, kind};
    }

    void fill(Register to, uint64_t value) {
        for (int l = 0; l < LANES; l++)
            if (to.kind == Kind::LONG)
                memcpy(&kernel.registers[(size_t)(to.r + 2 * l)], &value, sizeof value);
            else if (to.kind == Kind::WORD)
                kernel.registers[(size_t)(to.r + l)] = (uint32_t)value;
            else
                kernel.registers[(size_t)to.r] = value ? ALL : 0;
    }

    Register constant(uint64_t value, Kind kind) {
        const auto found = known.find({kind, value});
        if (found != known.end())
            return {found->second, kind};
        const Register made = allocate(kind);
        fill(made, value);
        known[{kind, value}] = made.r;
        return made;
    }

    uint64_t local(size_t bytes, size_t alignment) {
        alignment = std::max<size_t>(alignment, 8);
        kernel.local_bytes = (kernel.local_bytes + alignment - 1) / alignment * alignment;
        const uint64_t at = kernel.local_bytes;
        kernel.local_bytes += bytes;
        return at;
    }

    /* The register of a special one, as it is first named; NULL: there is no such one. */
    const Register *special(const std::string &name) {
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
                                                         {"%clock64", CLOCK64},
                                                         {"%globaltimer", CLOCK64},
                                                         {"%cluster_ctarank", CLUSTER_CTARANK}};
        const auto found = names.find(name);
        if (found == names.end())
            return nullptr;
        const Register made = allocate(found->second == CLOCK64 ? Kind::LONG : Kind::WORD);
        kernel.specials.push_back({made.r, found->second});
        return &(registers[name] = made);
    }

    /* A name that starts like a register's is one. */
    const Register *register_of(const std::string &word) {
        const auto found = registers.find(word);
        if (found != registers.end())
            return &found->second;
        const Register *here = word[0] == '%' ? special(word) : nullptr;
        if (word[0] == '%' && !here)
            unknown("register " + word + " is not known");
        return here;
    }

    static bool number(const std::string &word, uint64_t *value) {
        const char *c = word.c_str();
        if (word == "WARP_SZ")
            *value = LANES;
        else if (word[0] == '0' && strchr("fFdD", c[1]) && c[1])
            *value = strtoull(c + 2, nullptr, 16);
        else if (isdigit((unsigned char)word[0]))
            *value = strtoull(c, nullptr, 0);
        else if (word[0] == '-')
            *value = (uint64_t) - (int64_t)strtoull(c + 1, nullptr, 0);
        else
            return false;
        return true;
    }

    /* A register, number or symbol as this kind; sets the space of a symbol. */
    Register operand(const std::string &word, Kind kind, Space *space = nullptr) {
        if (word == "_")
            return allocate(kind);
        if (const Register *found = register_of(word))
            return *found;
        uint64_t value;
        if (number(word, &value))
            return constant(value, kind);
        const auto symbol = symbols.find(word);
        if (symbol != symbols.end()) {
            if (space && *space == Space::PARAM)
                *space = Space::LOCAL;
            return constant(symbol->second, kind);
        }
        for (const Parameter &p : kernel.parameters)
            if (p.name == word)
                return constant(p.offset, kind);
        const auto variable = module.variables.find(word);
        if (variable != module.variables.end())
            return constant((uint64_t)(uintptr_t)variable->second.memory, kind);
        const auto here = shared.find(word);
        if (here != shared.end())
            return constant(here->second, kind);
        const auto declared = module.shared.find(word);
        if (declared != module.shared.end()) {
            const auto [bytes, alignment] = declared->second;
            if (!bytes) {
                const Register made = allocate(kind);
                (kind == Kind::LONG ? long_dynamics : dynamics).push_back(made.r);
                return made;
            }
            return constant(share(word, bytes, alignment), kind);
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
        const auto [from, to, entry_] = found->second;
        const std::string &text = module.text;
        const size_t brace = text.find('{', from);
        std::string head = text.substr(from, brace - from);
        registers.clear(), labels.clear(), symbols.clear(), jumps.clear(), tables.clear(), lists.clear();
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
        source_lines.begin();
        for (size_t i = brace + 1; i < to - 1; i++) {
            const char c = text[i];
            if (c == '\n')
                line++;
            if (c == '.' && text.compare(i, 5, ".loc\t") * text.compare(i, 5, ".loc ") == 0 &&
                trim(statement).empty()) {
                const size_t next = next_line(text, i);
                source_lines.take(text.substr(i, next - i));
                i = next - 2; /* the line's end is counted */
                statement.clear();
                continue;
            }
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
                kernel.tables[kernel.code[at].target].push_back(labels.at(label));
        return entry;
    }

    /* Its place is noted in the kernel's code. */
    void add(Instruction i) {
        i.line = line, i.source = source_lines.current();
        kernel.code.push_back(i);
    }

    void end(bool of_kernel) {
        Instruction i;
        i.flow = of_kernel ? Flow::EXIT : Flow::RETURN;
        add(i);
    }

    void declare(const std::string &text) {
        if (text.starts_with(".reg ") || text.starts_with(".reg\t")) {
            const std::string rest = trim(text.substr(text.find_first_of(" \t", 5)));
            const std::string type = trim(text.substr(5, text.find_first_of(" \t", 5) - 5));
            const Kind kind = type == ".pred" ? Kind::PREDICATE : type_bytes(type) == 8 ? Kind::LONG : Kind::WORD;
            for (const std::string &part : cut(rest, ',')) {
                const std::string word = trim(part);
                const size_t open = word.find('<');
                if (open == std::string::npos) {
                    registers[word] = allocate(kind);
                    continue;
                }
                const int count = atoi(word.c_str() + open + 1);
                for (int n = 0; n < count; n++)
                    registers[word.substr(0, open) + std::to_string(n)] = allocate(kind);
            }
            return;
        }
        const Declared d = declared(text);
        if (text.starts_with(".shared"))
            share(d.name, d.bytes, d.alignment);
        else if (text.starts_with(".local") || text.starts_with(".param"))
            symbols[d.name] = local(d.bytes, d.alignment);
        else if (!text.starts_with(".pragma"))
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
        Draft i;
        if (text[0] == '@') {
            i.guarded = true;
            i.inverted = text[1] == '!';
            const size_t from = i.inverted ? 2 : 1, to = text.find_first_of(" \t", from);
            i.guard = operand(text.substr(from, to - from), Kind::PREDICATE).r;
            text = trim(text.substr(to));
        }
        size_t end = text.find_first_of(" \t\n");
        const std::string opcode = text.substr(0, end);
        const std::vector<std::string> words = cut(opcode, '.');
        const std::vector<std::string> list =
            end == std::string::npos ? std::vector<std::string>() : operands_of(text.substr(end));
        if (control(words, list, i, of_kernel))
            return;
        for (size_t c = 1; c < words.size() && i.space == Space::GENERIC; c++)
            i.space = space_of(words[c]);
        if (!decode(words, list, i))
            unknown("instruction " + text + " is not known");
    }

    /* An operand as the text has it: without the brackets and signs around it. */
    struct Written {
        std::string name;
        bool address, inverted;
        int64_t offset;
    };

    static void write_out(const std::string &word, std::vector<Written> &list) {
        if (word[0] == '{' || (word[0] == '[' && word.find(',') != std::string::npos)) { /* of a texture: [t, {x, y}] */
            for (const std::string &one : operands_of(word.substr(1, word.find_last_of("]}") - 1)))
                write_out(one, list);
        } else if (word[0] == '[') {
            const std::string inner = word.substr(1, word.find_last_of(']') - 1);
            const size_t plus = inner.find('+');
            list.push_back({trim(inner.substr(0, plus)), true, false,
                            plus == std::string::npos ? 0 : strtoll(inner.c_str() + plus + 1, nullptr, 0)});
        } else if (word.find('|') != std::string::npos)
            for (const std::string &one : cut(word, '|'))
                list.push_back({trim(one), false, false, 0});
        else if (word[0] == '!')
            list.push_back({trim(word.substr(1)), false, true, 0});
        else
            list.push_back({word, false, false, 0});
    }

    /* Chooses the function of an instruction, and finds its operands. */
    bool decode(const Words &words, const std::vector<std::string> &list, Draft &i) {
        std::vector<Written> written;
        for (const std::string &word : list) {
            const size_t before = written.size();
            write_out(word, written);
            i.groups.push_back((int)(written.size() - before));
        }
        i.operands = (uint16_t)written.size();
        i.outputs = (uint16_t)(i.groups.empty() ? 0 : i.groups[0]);
        int addresses = 0;
        for (size_t k = 0; k < written.size(); k++) {
            const auto named = registers.find(written[k].name);
            i.takes_long |= !written[k].address && named != registers.end() && named->second.kind == Kind::LONG;
            if (k < 4)
                i.negated[k] = written[k].inverted;
            if (written[k].address)
                (addresses++ ? i.source_offset : i.offset) = written[k].offset;
            if (addresses > 2 && written[k].offset)
                unknown("the offset of a third address is not known");
        }
        i.execute = execute_of(words, i);
        if (!i.execute)
            return false;
        find_operands(words, written, i);
        return true;
    }

    /* Adds the instruction with its operands. A register that is wider than the type, or narrower, is copied. */
    void find_operands(const Words &words, const std::vector<Written> &written, Draft &i) {
        const std::string &type = words.back();
        const Kind typed = type == "pred" ? Kind::PREDICATE : bytes_of(type) == 8 ? Kind::LONG : Kind::WORD;
        std::vector<int> r;
        std::vector<std::pair<Register, Register>> after;
        const bool parameter = i.space == Space::PARAM; /* of the kernel, or of a function: in local memory */
        for (size_t k = 0; k < written.size(); k++) {
            const char letter = i.kinds[k < i.first ? 0 : std::min(k - i.first + 1, strlen(i.kinds) - 1)];
            const Kind kind = letter == 't'   ? typed
                              : letter == 'w' ? Kind::WORD
                              : letter == 'p' ? Kind::PREDICATE
                                              : Kind::LONG;
            const Register found = operand(written[k].name, kind, &i.space);
            if (letter == 'a')
                i.long_address = found.kind == Kind::LONG;
            if (found.kind == kind || letter == 'a') {
                r.push_back(found.r);
                continue;
            }
            if (found.kind == Kind::PREDICATE || kind == Kind::PREDICATE)
                unknown(written[k].name + " is not of the type that " + words[0] + " takes");
            const Register copy = allocate(kind);
            r.push_back(copy.r);
            if (k < i.outputs)
                after.push_back({found, copy});
            else
                copy_register(copy, found, Draft());
        }
        keep(i, r);
        i.work = work_of(words, i);
        i.passes = parameter && i.space == Space::LOCAL;
        add(i);
        for (const auto &[to, from] : after)
            copy_register(to, from, i);
    }

    void keep(Instruction &i, const std::vector<int> &r) {
        kernel.operands.push_back(r);
        i.r = kernel.operands.back().data();
        i.operands = (uint16_t)r.size();
    }

    /* cvt to the other width, if the instruction `like` is carried out. */
    void copy_register(Register to, Register from, const Draft &like) {
        Draft copy;
        copy.work = EMULATOR_WORK_MOVE;
        copy.guarded = like.guarded, copy.inverted = like.inverted, copy.guard = like.guard;
        copy.execute =
            to.kind == Kind::LONG ? execute_of({"cvt", "u64", "u32"}, copy) : execute_of({"cvt", "u32", "u64"}, copy);
        keep(copy, {to.r, from.r});
        add(copy);
    }

    /* Branches, calls, barriers: instructions that decide which is next. */
    bool control(const std::vector<std::string> &words, const std::vector<std::string> &list, Draft &i,
                 bool of_kernel) {
        const std::string &op = words[0];
        const uint32_t at = (uint32_t)kernel.code.size();
        if (op == "bra") {
            i.flow = Flow::BRANCH;
            jumps.push_back({at, list[0]});
        } else if (op == "brx") {
            i.flow = Flow::TABLE;
            i.target = (uint32_t)kernel.tables.size();
            kernel.tables.emplace_back();
            keep(i, {operand(list[0], Kind::WORD).r});
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
            if (words[w] == "warp")
                return false;
            i.flow = words[w] == "arrive" ? Flow::ARRIVE : Flow::BARRIER;
            if (words[w] == "red") { /* result, barrier[, threads], predicate */
                i.variant = words[w + 1] == "popc" ? 1 : words[w + 1] == "and" ? 2 : 3;
                const std::string &p = list.back();
                i.negated[2] = p[0] == '!';
                if (list.size() > 3)
                    unknown("bar.red of some threads is not known");
                keep(i,
                     {operand(list[1], Kind::WORD).r, operand(list[0], i.variant == 1 ? Kind::WORD : Kind::PREDICATE).r,
                      operand(p[0] == '!' ? trim(p.substr(1)) : p, Kind::PREDICATE).r});
            } else if (list.size() > 1)
                keep(i, {operand(list[0], Kind::WORD).r, operand(list[1], Kind::WORD).r});
            else
                keep(i, {operand(list[0], Kind::WORD).r});
        } else if (op == "membar" || op == "fence" || op == "griddepcontrol" || op == "prefetch" || op == "prefetchu" ||
                   op == "discard" || op == "applypriority" || op == "setmaxnreg")
            return true;
        else
            return false;
        add(i);
        return true;
    }

    void copy_local(uint64_t to, uint64_t from, size_t bytes, const Draft &like) {
        for (size_t done = 0; done < bytes;) {
            const size_t each = bytes - done >= 8 ? 8 : bytes - done >= 4 ? 4 : bytes - done >= 2 ? 2 : 1;
            const std::string type = each == 8 ? "b64" : each == 4 ? "b32" : each == 2 ? "b16" : "b8";
            const Register value = allocate(each == 8 ? Kind::LONG : Kind::WORD);
            Draft load = like, store = like;
            load.space = store.space = Space::LOCAL;
            load.passes = store.passes = true;
            load.work = store.work = EMULATOR_WORK_MEMORY;
            load.groups = store.groups = {1, 1};
            load.execute = execute_of({"ld", "local", type}, load);
            store.execute = execute_of({"st", "local", type}, store);
            keep(load, {value.r, constant(from + done, Kind::LONG).r});
            keep(store, {constant(to + done, Kind::LONG).r, value.r});
            add(load);
            add(store);
            done += each;
        }
    }

    /* call (results), function, (arguments): arguments and results are in local memory. */
    void call(const std::vector<std::string> &list, Draft &i) {
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
            const std::string head =
                module.text.substr(found->second.from, module.text.find('{', found->second.from) - found->second.from);
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
        add(i);
        Draft after = i;
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
    Function function;
    function.name = name;
    Reader(module, function).read(name);
    return module.functions[name] = std::move(function);
}

} // namespace ptx
