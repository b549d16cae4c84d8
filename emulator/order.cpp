/* order.cpp: the order in which parted lanes go on, so that they meet again as soon as they can. The text of PTX has
 * its blocks in any order. F. Bourdoncle's weak topological order serves (Efficient Chaotic Iteration Strategies with
 * Widenings, 1993). A block comes behind all that lead to it but for jumps back, and a loop's blocks come together.
 * Lanes that leave a loop thus wait for the others, and both sides of a condition meet where it ends. Diamos et al.
 * schedule warps by such an order (SIMD Re-convergence at Thread Frontiers, MICRO 2011). */
#include "emulator/ptx.hpp"

#include <algorithm>

namespace ptx {

namespace {

class Order {
  public:
    explicit Order(const Function &of) : kernel(of), code(of.code), begins(code.size() + 1), number(code.size()) {}

    /* The first instructions of all blocks, in their order. */
    std::vector<uint32_t> blocks() {
        find_beginnings();
        for (uint32_t at = 0; at < code.size(); at++) /* what is reached by no jump is an entry */
            if (begins[at] && number[at] == 0)
                visit(at);
        std::reverse(reversed.begin(), reversed.end());
        return reversed;
    }

    uint32_t end_of(uint32_t at) const {
        do
            at++;
        while (!begins[at]);
        return at;
    }

  private:
    static constexpr uint32_t DONE = UINT32_MAX;
    const Function &kernel;
    const std::vector<Instruction> &code;
    std::vector<bool> begins;
    std::vector<uint32_t> number; /* of a visit, by a block's first instruction; 0: not visited */
    std::vector<uint32_t> stack, reversed;
    uint32_t visits = 0;

    static bool ends_block(const Instruction &i) {
        return i.flow == Flow::BRANCH || i.flow == Flow::TABLE || i.flow == Flow::RETURN || i.flow == Flow::EXIT ||
               i.flow == Flow::TRAP;
    }

    void find_beginnings() {
        begins[0] = begins[code.size()] = true;
        for (uint32_t at = 0; at < code.size(); at++) {
            if (ends_block(code[at]))
                begins[at + 1] = true;
            if (code[at].flow == Flow::BRANCH || code[at].flow == Flow::CALL)
                begins[code[at].target] = true;
        }
        for (const std::vector<uint32_t> &table : kernel.tables)
            for (const uint32_t target : table)
                begins[target] = true;
    }

    std::vector<uint32_t> followers(uint32_t block) const {
        const uint32_t next = end_of(block);
        const Instruction &last = code[next - 1];
        std::vector<uint32_t> all;
        if (last.flow == Flow::BRANCH)
            all.push_back(last.target);
        if (last.flow == Flow::TABLE)
            all = kernel.tables[last.target];
        if ((!ends_block(last) || last.guarded) && next < code.size())
            all.push_back(next);
        return all;
    }

    void visit_followers(uint32_t block) {
        for (const uint32_t next : followers(block))
            if (number[next] == 0)
                visit(next);
    }

    /* Returns the lowest number on the stack that the block leads to. */
    uint32_t visit(uint32_t block) {
        uint32_t head = number[block] = ++visits;
        bool loops = false;
        stack.push_back(block);
        for (const uint32_t next : followers(block)) {
            const uint32_t lowest = number[next] == 0 ? visit(next) : number[next];
            loops |= lowest <= head;
            head = std::min(head, lowest);
        }
        if (head != number[block])
            return head;
        while (stack.back() != block) {
            number[stack.back()] = 0;
            stack.pop_back();
        }
        stack.pop_back();
        number[block] = DONE;
        if (loops) /* the loop's other blocks, without their jumps back to it */
            visit_followers(block);
        reversed.push_back(block);
        return head;
    }
};

} // namespace

void order_code(Function &kernel) {
    Order order(kernel);
    kernel.rank.assign(kernel.code.size() + 1, UINT32_MAX);
    for (const uint32_t block : order.blocks()) {
        const uint32_t end = order.end_of(block);
        for (uint32_t at = block; at < end; at++) {
            kernel.rank[at] = (uint32_t)kernel.ranked.size();
            kernel.ranked.push_back(at);
        }
    }
}

} // namespace ptx
