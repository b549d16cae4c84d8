/* run.cpp: how the lanes of a warp go on. Each has a program counter of its own; those that stand at the instruction of
 * the lowest rank (order.cpp) go on together. */
#include "emulator/counting.hpp"
#include "emulator/execute.hpp"

#include <bit>

namespace ptx {

/* The lowest of the ranks from `from` on, and the highest. */
VECTOR static uint32_t lowest(const uint32_t *rank, const uint32_t pc[LANES], uint32_t lanes, uint32_t from) {
    uint32_t best = UINT32_MAX;
    ALL_LANES(l) {
        const uint32_t r = rank[pc[l]], p = (lanes >> l & 1) && r >= from ? r : UINT32_MAX;
        best = p < best ? p : best;
    }
    return best;
}
VECTOR static uint32_t highest(const uint32_t *rank, const uint32_t pc[LANES], uint32_t lanes) {
    uint32_t best = 0;
    ALL_LANES(l) {
        const uint32_t p = lanes >> l & 1 ? rank[pc[l]] : 0;
        best = p > best ? p : best;
    }
    return best;
}
VECTOR static uint32_t standing_at(const uint32_t pc[LANES], uint32_t at) {
    uint32_t found = 0;
    ALL_LANES(l) found |= pc[l] == at ? 1u << l : 0;
    return found;
}
VECTOR static void put_at(uint32_t pc[LANES], uint32_t where, uint32_t lanes) {
    ALL_LANES(l) pc[l] = lanes >> l & 1 ? where : pc[l];
}

/* Once in so many rests of a warp, its last lanes go first: others may wait for them. Lanes that go first leave those
 * that they would have met. */
constexpr unsigned FAIR_RESTS = 32;

/* Lanes that go on together. */
class Run {
  public:
    Run(Warp &warp, int turns_) : w(warp), block(*warp.block), code(block.grid.kernel.code.data()), turns(turns_) {}

    /* Goes on for some turns; false: no lane could. */
    bool go() {
        bool went = false;
        while (turns > 0 && choose()) {
            went = true;
            const Count count(*this);
            try {
                if (on() == REST)
                    break;
            } catch (Fault &fault) {
                w.locate(fault, group, at);
                throw;
            }
        }
        return went;
    }

  private:
    enum Then { ON, CHOOSE, REST /* and let other warps go on */ };
    /* Counts the instructions that lanes carry out together. */
    struct Count {
        const Run &run;
        const int before = run.turns;
        explicit Count(const Run &of) : run(of) {}
        ~Count() { run.block.grid.executed += (uint64_t)(before - run.turns) * (uint64_t)std::popcount(run.group); }
    };
    Warp &w;
    Block &block;
    const Instruction *const code;
    EmulatorCounters *const counters = block.grid.counters;
    int turns;
    uint32_t at = 0, group = 0;
    const uint32_t *const rank = block.grid.kernel.rank.data();
    uint32_t limit = 0;  /* the rank at which others stand that join them */
    bool parted = false; /* there are others */

    /* The lanes that are in most functions: those behind their call wait for them, as compilers have it. */
    uint32_t deepest(uint32_t lanes) const {
        size_t most = 0;
        uint32_t found = 0;
        EACH_LANE(l) {
            const size_t depth = w.returns[l].size();
            found = depth > most ? 1u << l : depth == most ? found | 1u << l : found;
            most = std::max(most, depth);
        }
        return found;
    }

    /* Takes the lanes at the lowest rank; where a lane spins for another one, at times at the highest. Lanes that
     * are parked join those that come to where they stand. */
    bool choose() {
        const uint32_t there = ~(w.exited | w.waiting);
        uint32_t can = there & ~w.parked;
        if (!can)
            return false;
        if (w.called & can && !w.fair)
            can = deepest(can);
        const uint32_t first = w.fair ? highest(rank, w.pc, can) : lowest(rank, w.pc, can, 0);
        at = block.grid.kernel.ranked[first];
        group = standing_at(w.pc, at) & there;
        parted = group != there;
        limit = parted ? lowest(rank, w.pc, there, first + 1) : UINT32_MAX;
        w.parked &= ~group;
        return true;
    }

    void leave(uint32_t where, uint32_t lanes) { put_at(w.pc, where, lanes); }

    Then on() {
        for (;;) {
            if (--turns <= 0) {
                leave(at, group);
                w.fair = !w.fair && (w.spins || ++w.rests % FAIR_RESTS == 0);
                w.spins = false;
                return REST;
            }
            const Instruction &i = code[at];
            uint32_t lanes = group;
            if (i.guarded)
                lanes &= w.mask(i.guard) ^ (i.inverted ? ALL : 0);
            if (counters && i.flow != Flow::CONVERGE)
                counters->executed(i, group, lanes);
            if (i.flow == Flow::NEXT) {
                if (lanes)
                    i.execute(w, i, lanes);
                at++;
            } else if (const Then then = flow(i, lanes); then != ON)
                return then;
            if (parted && rank[at] >= limit) {
                leave(at, group);
                return CHOOSE;
            }
        }
    }

    Then flow(const Instruction &i, uint32_t lanes) {
        switch (i.flow) {
        case Flow::BRANCH:
            return branch(i, lanes);
        case Flow::TABLE:
        case Flow::CALL:
        case Flow::RETURN:
            return jump(i, lanes);
        case Flow::EXIT:
            leave(at + 1, group);
            w.exited |= lanes;
            block.running -= (uint32_t)std::popcount(lanes);
            block.release();
            w.parked = 0; /* lanes that waited for these look again */
            return CHOOSE;
        case Flow::BARRIER:
        case Flow::ARRIVE:
            return barrier(i, lanes);
        case Flow::CLUSTER_ARRIVE:
            return cluster_arrive(lanes);
        case Flow::CLUSTER_WAIT:
            if (lanes && w.cluster_phase[std::countr_zero(lanes)] == block.cluster.front()->cluster_phase) {
                leave(at, group);
                return REST;
            }
            break;
        case Flow::CONVERGE:
            return converge(i, lanes);
        case Flow::POLL:
            if (lanes)
                i.execute(w, i, lanes);
            if (w.idle)
                turns = std::min(turns, 10);
            w.spins |= w.idle;
            w.idle = false;
            break;
        case Flow::YIELD:
            leave(at + 1, group);
            w.fair = !w.fair;
            return REST;
        case Flow::TRAP:
            throw Fault("the kernel gives up by trap", EMULATOR_TRAP);
        case Flow::NEXT:
            break;
        }
        at++;
        return ON;
    }

    Then branch(const Instruction &i, uint32_t lanes) {
        if (lanes && lanes != group) {
            leave(i.target, lanes), leave(at + 1, group & ~lanes);
            return CHOOSE;
        }
        at = lanes ? i.target : at + 1;
        return ON;
    }

    Then jump(const Instruction &i, uint32_t lanes) {
        leave(at + 1, group);
        EACH_LANE(l) {
            if (i.flow == Flow::TABLE)
                w.pc[l] = block.grid.kernel.tables[i.target].at(w.to(i.r[0])[l]);
            else if (i.flow == Flow::CALL) {
                w.returns[l].push_back(at + 1);
                w.called |= 1u << l;
                w.pc[l] = i.target;
            } else {
                w.pc[l] = w.returns[l].back();
                w.returns[l].pop_back();
                w.called &= ~((uint32_t)w.returns[l].empty() << l);
            }
        }
        return CHOOSE;
    }

    /* bar: r is the barrier and how many threads; of bar.red the barrier, the result and the predicate. */
    Then barrier(const Instruction &i, uint32_t lanes) {
        leave(at + 1, group);
        EACH_LANE(l) {
            const uint32_t number = w.to(i.r[0])[l] & 15;
            Barrier &b = block.barriers[number];
            b.arrived++;
            w.reducing[l] = i.variant ? &i : nullptr;
            if (i.variant)
                b.yes += predicate(w, i, 2) >> l & 1;
            b.expected = !i.variant && i.operands > 1 ? w.to(i.r[1])[l] : 0;
            w.barrier[l] = (uint8_t)number;
        }
        if (i.flow == Flow::BARRIER)
            w.waiting |= lanes;
        w.meet(~w.exited);
        block.release();
        return CHOOSE;
    }

    Then cluster_arrive(uint32_t lanes) {
        Block &front = *block.cluster.front();
        uint32_t threads = 0;
        for (const Block *b : block.cluster)
            threads += b->running;
        EACH_LANE(l) w.cluster_phase[l] = front.cluster_phase;
        front.cluster_arrived += (uint32_t)std::popcount(lanes);
        if (front.cluster_arrived >= threads)
            front.cluster_arrived = 0, front.cluster_phase++;
        block.grid.events++;
        at++;
        return ON;
    }

    /* Lanes with these members. */
    uint32_t same(const Instruction &i, uint32_t lanes, uint32_t members) const {
        return lanes & standing_at(w.to(i.r[i.members]), members);
    }

    /* The lanes that the instruction names come together before they carry it out. */
    Then converge(const Instruction &i, uint32_t lanes) {
        uint32_t members = ALL;
        if (i.members >= 0 && lanes) {
            members = w.to(i.r[i.members])[std::countr_zero(lanes)];
            if (const uint32_t others = lanes & ~same(i, lanes, members)) {
                leave(at, others);
                group &= ~others, lanes &= ~others;
                limit = rank[at];
                parted = true;
            }
        }
        if (lanes & ~members)
            throw Fault("a lane is not in the mask of those that take part");
        if (lanes && (members & ~w.exited) != lanes) { /* the others will come */
            leave(at, lanes), leave(at + 1, group & ~lanes);
            uint32_t here = w.parked & standing_at(w.pc, at); /* came before: all of them look again, together */
            here = i.members >= 0 ? same(i, here, members) : here;
            w.parked = here ? w.parked & ~here : w.parked | lanes;
            return CHOOSE;
        }
        if (counters)
            counters->executed(i, group, lanes);
        if (lanes) {
            w.meet(lanes);
            i.execute(w, i, lanes);
        }
        at++;
        return ON;
    }
};

bool Warp::run(int turns) {
    return Run(*this, turns).go();
}

} // namespace ptx
