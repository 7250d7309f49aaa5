// Whatever happens at whichever operation of a transaction, the end is the old state or the new one: each
// kind of fault strikes at each operation of each plan here, whichever way the transaction goes on.
#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>

#include "transaction_plans.h"

namespace pve_rdma {
namespace {

// Where the plan goes, unless something happens.
enum class Way { confirmed, expired, rolled_back, undone_later, unasked };
constexpr Way ways[] = {Way::confirmed, Way::expired, Way::rolled_back, Way::undone_later, Way::unasked};

struct State {
    std::map<std::string, std::string> network, files;
    std::map<std::string, std::map<std::string, std::string>> services;
    bool operator==(const State&) const = default;
};

class Life {
  public:
    explicit Life(const Plan& plan) : plan_(plan) { start(bed); }

    void start(Bed& fresh) const {
        plan_.make(fresh.kernel);
        for (const auto& file : plan_.files)
            if (file.before) fresh.disk.files[file.path] = *file.before;
        start_services(fresh);
    }
    // They were started after the files were written.
    void start_services(Bed& at) const {
        for (const auto& service : services_of(plan_.files))
            at.start_service(service);
    }

    // Everything up to the end of this way. A fault may throw.
    void go(Way way) {
        TransactionRequest request{.steps = plan_.steps,
                                   .files = plan_.files,
                                   .confirm_within = std::chrono::seconds(2),
                                   .connection = "here"};
        if (way == Way::unasked) request.confirm_within = std::chrono::seconds(0);
        begun = begin_transaction(bed.host, request);
        if (!*begun || way == Way::unasked) return;
        const std::string id = (*begun)->id;
        if (way == Way::confirmed || way == Way::undone_later)
            confirmed = confirm_transaction(bed.host, id, "there");
        if (way == Way::expired) std::ignore = bed.watch(id);
        if (way == Way::rolled_back || way == Way::undone_later) undone = roll_back_transaction(bed.host, id);
    }

    // What happens on a node after that: the watchdogs that are armed do their work, again if they die of it.
    void live_on() {
        while (!bed.watchdog.armed.empty()) {
            const std::string id = *bed.watchdog.armed.begin();
            try {
                std::ignore = bed.watch(id);
                bed.watchdog.armed.erase(id);
            } catch (const Killed&) {
            }
        }
    }

    // The kernel's state after a boot: that of the files.
    void boot() {
        bed.watchdog.armed.clear();
        bed.host.boot_id += "'";
        while (true) {
            try {
                std::ignore = recover_transactions(bed.host);
                break;
            } catch (const PowerCut&) {
                bed.host.boot_id += "'";
            }
        }
        Bed fresh;
        start(fresh);
        if (bed.disk.files[interfaces] == "new\n") {
            EXPECT_TRUE(fresh.kernel.carry_out(plan_.steps).empty());
        }
        bed.kernel = fresh.kernel;
        start_services(bed);
    }

    void recover(bool power_cut) {
        if (power_cut) boot();
        live_on();
        bed.all_is_well();
        // Whoever dies between saying that it undoes and arming the watchdog has to be asked again.
        if (decision() == "rolling_back") std::ignore = roll_back_transaction(bed.host, "");
    }

    State state() {
        State now{.network = shown(bed.kernel.network()), .files = bed.disk.files, .services = bed.running};
        std::erase_if(now.files, [](const auto& file) { return file.first.starts_with("/store/"); });
        return now;
    }
    // Nothing is left that stands in the way of the next change.
    bool next_is_free() {
        const TransactionRequest next{.files = {{.path = "/etc/next", .before = {}, .after = "next"}},
                                      .confirm_within = std::chrono::seconds(0)};
        const auto view = begin_transaction(bed.host, next);
        return view && roll_back_transaction(bed.host, view->id);
    }
    std::string decision() {
        const auto views = list_transactions(bed.host);
        return !views ? views.error().text() : views->empty() ? "never began" : views->front().state;
    }

    Bed bed;
    std::optional<Result<TransactionView>> begun, confirmed, undone;

  private:
    const Plan& plan_;
};

// The two states that are allowed, and the third that a change by somebody else makes of them.
struct Allowed {
    State old, fresh;
};

Allowed allowed_by(const Plan& plan) {
    Life life(plan);
    const State old = life.state();
    life.go(Way::confirmed);
    EXPECT_TRUE(life.confirmed && *life.confirmed)
        << plan.name << ": " << (*life.begun ? "" : life.begun->error().text());
    return {old, life.state()};
}

class Faulted : public testing::Test {
  protected:
    std::size_t injected = 0;

    ~Faulted() override { fmt::print("{} faults injected\n", injected); }

    void check(Life& life, const Plan& plan, const Allowed& allowed, Way way, const Fault& fault) {
        ++injected;
        const State end = life.state();
        const std::string where =
            fmt::format("{}, way {}, fault at {} ({}, moment {})", plan.name, static_cast<int>(way), fault.at,
                        fault.killed      ? "killed"
                        : fault.power_cut ? "power cut"
                                          : strerrorname_np(fault.errno_value),
                        static_cast<int>(fault.moment));
        const std::string decision = life.decision();
        ASSERT_TRUE(end == allowed.old || end == allowed.fresh)
            << where << ": " << decision << difference(end, allowed);
        if (end == allowed.fresh) {
            EXPECT_EQ(decision, "confirmed") << where;
        } else {
            // Who dies before anything is armed leaves what the next one clears away.
            EXPECT_TRUE(decision == "restored" || decision == "never began" || decision == "armed")
                << where << ": " << decision;
        }
        EXPECT_TRUE(life.next_is_free()) << where << ": " << decision;
        // What was said to the caller holds.
        const bool said_new = life.confirmed && *life.confirmed && way == Way::confirmed;
        const bool said_old = (life.begun && !*life.begun) ||
                              (life.undone && *life.undone && (*life.undone)->state == "restored");
        EXPECT_TRUE(!said_new || end == allowed.fresh) << where;
        EXPECT_TRUE(!said_old || end == allowed.old) << where;
    }

    static std::string difference(const State& end, const Allowed& allowed) {
        std::string text;
        for (const auto& [name, expected] : {std::pair{"old", &allowed.old}, {"new", &allowed.fresh}}) {
            for (const auto& [key, value] : end.network)
                if (const auto found = expected->network.find(key);
                    found == expected->network.end() || found->second != value)
                    text += fmt::format("\n  more than {}: {} {}", name, key, value);
            for (const auto& [key, value] : expected->network)
                if (!end.network.contains(key)) text += fmt::format("\n  {} has: {} {}", name, key, value);
            for (const auto& [key, value] : end.files)
                if (const auto found = expected->files.find(key);
                    found == expected->files.end() || found->second != value)
                    text += fmt::format("\n  more than {}: file {}", name, key);
            for (const auto& [key, value] : expected->files)
                if (!end.files.contains(key)) text += fmt::format("\n  {} has file {}", name, key);
        }
        return text;
    }
};

constexpr Moment moments[] = {Moment::before, Moment::after, Moment::torn};

// Every kind of fault at one operation; the errnos take turns.
std::vector<Fault> faults_at(std::size_t operation, bool tearable) {
    constexpr int errnos[] = {EIO, ENOSPC, EROFS, EPERM, ENOBUFS, ENODEV, EINTR};
    std::vector<Fault> all;
    for (const auto moment : moments) {
        if (moment == Moment::torn && !tearable) continue;
        all.push_back({.at = operation, .moment = moment, .errno_value = errnos[operation % 7]});
        all.push_back({.at = operation, .moment = moment, .killed = true});
        all.push_back({.at = operation, .moment = moment, .power_cut = true});
    }
    return all;
}

// With all that is on it and about it.
void unplug(Network& network, const std::string& name) {
    std::erase_if(network.links, [&](const Link& link) { return link.ifname == name; });
    std::erase_if(network.addresses, [&](const auto& address) { return address.dev == name; });
    std::erase_if(network.routes, [&](const auto& route) { return route.dev == name; });
}

class AtEachOperation : public Faulted, public testing::WithParamInterface<Plan> {
  protected:
    const Plan& plan = GetParam();
    const Allowed allowed = allowed_by(plan);

    // Until something ends the process; true when it was a power cut.
    static bool went_down(Life& life, Way way) {
        try {
            life.go(way);
        } catch (const Killed&) {
            return false;
        } catch (const PowerCut&) {
            return true;
        }
        return false;
    }
};

TEST_P(AtEachOperation, OneFault) {
    for (const auto way : ways) {
        Life whole(plan);
        whole.go(way);
        for (std::size_t at = 1; at <= whole.bed.faults.count; ++at)
            for (const Fault& fault : faults_at(at, whole.bed.faults.tearable.contains(at)))
                for (const bool goes_on : {false, true}) {
                    if (goes_on && !fault.errno_value) continue;
                    Life life(plan);
                    life.bed.faulty_kernel.goes_on = goes_on;
                    life.bed.faults.fault = fault;
                    const bool power_cut = went_down(life, way);
                    life.bed.all_is_well();
                    life.recover(power_cut);
                    check(life, plan, allowed, way, fault);
                    if (HasFatalFailure()) return;
                }
    }
}

// Whoever repairs what the first fault has done is struck too.
TEST_P(AtEachOperation, AnotherFaultWhileTheFirstIsRepaired) {
    for (const bool power_cut : {false, true}) {
        Life whole(plan);
        whole.go(Way::confirmed);
        for (std::size_t at = 1; at <= whole.bed.faults.count; ++at) {
            std::size_t repairs = 0;
            for (std::size_t second = 0; second <= repairs; ++second) {
                const Fault first{.at = at, .killed = !power_cut, .power_cut = power_cut};
                Life life(plan);
                life.bed.faults.fault = first;
                std::ignore = went_down(life, Way::confirmed);
                const std::size_t begun = life.bed.faults.count;
                life.bed.faults.fault = {.killed = !power_cut, .power_cut = power_cut};
                if (second) life.bed.faults.fault.at = begun + second;
                life.recover(power_cut && life.bed.faults.struck);
                if (!second) repairs = life.bed.faults.count - begun;
                check(life, plan, allowed, Way::confirmed, first);
                if (HasFatalFailure()) return;
            }
        }
    }
}

// Others do something at any moment: what they did stays, and all else is old or new.
TEST_P(AtEachOperation, SomebodyElseMeanwhile) {
    const Meanwhile gui_edit = [](Bed& bed) { bed.disk.files[interfaces] = "theirs\n"; };
    const Meanwhile unplugged = [&](Bed& bed) { unplug(bed.kernel.network(), plan.unplugged); };
    for (const auto& change : {plan.same_object, plan.other_object, unplugged, gui_edit}) {
        Life not_begun(plan), done(plan);
        done.go(Way::confirmed);
        change(not_begun.bed);
        change(done.bed);
        const State old = not_begun.state(), fresh = done.state();
        for (const auto way : {Way::confirmed, Way::expired, Way::rolled_back}) {
            Life whole(plan);
            whole.go(way);
            for (std::size_t at = 1; at <= whole.bed.faults.count; ++at) {
                Life life(plan);
                life.bed.faults.fault = {.at = at, .meanwhile = [&] { change(life.bed); }};
                life.go(way);
                life.recover(false);
                ++injected;
                const std::string decision = life.decision();
                const State& expected = decision == "confirmed" ? fresh : old;
                ASSERT_TRUE(life.state() == expected)
                    << plan.name << ", way " << static_cast<int>(way) << " at " << at << ": " << decision
                    << difference(life.state(), {old, fresh});
                EXPECT_TRUE(life.next_is_free()) << plan.name << " at " << at << ": " << decision;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Plans, AtEachOperation, testing::ValuesIn(transaction_plans()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace pve_rdma
