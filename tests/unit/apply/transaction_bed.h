// A node for transactions, whole in memory, on which any single operation can go wrong.
//
// Operations are counted over disk, kernel and watchdog together. A fault strikes at one of them: before it,
// after it, or in the middle of what can be torn.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "apply/fake_kernel.h"
#include "apply/transaction.h"
#include "apply/watch.h"

namespace pve_rdma {

// The process has ended, or the node has: nobody in the product catches these.
struct Killed {};
struct PowerCut {};

enum class Moment { before, after, torn };

// What happens at operation number `at` (from 1; 0: nothing does).
struct Fault {
    std::size_t at = 0;
    Moment moment = Moment::before;
    int errno_value = 0;  // the operation answers with it
    bool killed = false, power_cut = false;
    std::function<void()> meanwhile{};  // somebody else does something, and the operation goes on
};

class Faults {
  public:
    Fault fault{};
    std::size_t count = 0;
    bool struck = false;
    std::set<std::size_t> tearable{};  // operations that can be done by half

    // Around one operation. `torn` does the half of it.
    template <class Do, class Torn>
    auto around(Do&& act, Torn&& torn) -> decltype(act()) {
        tearable.insert(count + 1);
        return strike(act, torn);
    }
    template <class Do>
    auto around(Do&& act) -> decltype(act()) {
        return strike(act, [] {});
    }

  private:
    template <class Do, class Torn>
    auto strike(Do&& act, Torn&& torn) -> decltype(act()) {
        if (++count != fault.at) return act();
        struck = true;
        if (fault.meanwhile) {
            fault.meanwhile();
            return act();
        }
        if (fault.moment == Moment::torn) torn();
        if (fault.moment == Moment::after) std::ignore = act();
        if (fault.killed) throw Killed{};
        if (fault.power_cut) throw PowerCut{};
        return std::unexpected(errno_error(fault.errno_value, "injected", "this was to fail"));
    }
};

// Files of a node. What an operation has done is on the disk: the contract of Disk.
class MemoryDisk final : public Disk {
  public:
    explicit MemoryDisk(Faults& faults) : faults_(faults) {}

    std::map<std::string, std::string> files;

    Result<std::string> read(const std::string& path, std::size_t limit) override;
    Result<std::vector<std::string>> list(const std::string& folder) override;
    Result<void> make_folder(const std::string& path) override;
    Result<void> create(const std::string& path, std::string_view content, unsigned mode) override;
    Result<void> reserve(const std::string& path, std::size_t octets) override;
    Result<void> append(const std::string& path, std::string_view line) override;
    Result<void> replace(const Replacement&) override;
    Result<void> remove(const std::string& path) override;
    Result<void> remove_folder(const std::string& path) override;

  private:
    Faults& faults_;
    std::set<std::string> folders_;
};

// Each step is an operation. After a refused step the others go on, as those of a batch of messages do, or
// not.
class FaultyKernel final : public Kernel {
  public:
    FaultyKernel(FakeKernel& kernel, Faults& faults) : kernel_(kernel), faults_(faults) {}

    bool goes_on = false;

    Result<Network> read() override;
    std::vector<StepFailure> carry_out(std::span<const Step>) override;

  private:
    FakeKernel& kernel_;
    Faults& faults_;
};

class FakeWatchdog final : public Watchdog {
  public:
    explicit FakeWatchdog(Faults& faults) : faults_(faults) {}

    std::set<std::string> armed;

    Result<void> arm(const std::string& id, std::chrono::seconds) override;
    Result<void> disarm(const std::string& id) override;

  private:
    Faults& faults_;
};

struct Bed {
    Faults faults;
    FakeKernel kernel;
    MemoryDisk disk{faults};
    FaultyKernel faulty_kernel{kernel, faults};
    FakeWatchdog watchdog{faults};
    std::chrono::nanoseconds time{1'000'000'000};
    std::string boot_id = "first boot";
    std::map<std::string, std::map<std::string, std::string>>
        running;  // services, with the files they started from
    TransactionHost host = make_host();

    Bed() = default;
    Bed(const Bed&) = delete;
    Bed& operator=(const Bed&) = delete;

    TransactionHost make_host();
    void start_service(const std::string& unit);
    // What the watchdog does from now on.
    Result<TransactionView> watch(const std::string& id);
    void all_is_well() { faults.fault = {}; }
};

// All that a network shows, sorted, as text; without the numbers of links.
std::map<std::string, std::string> shown(const Network&);

// Steps in short.
Step set(const std::string& link, const std::string& key, const std::string& from, const std::string& to);
Step set_sysctl(const std::string& name, const std::string& from, const std::string& to);
AddressEntry address(const std::string& dev, const std::string& prefix, std::uint32_t metric = 0);
RouteEntry route(const std::string& to, const std::string& via, const std::string& dev, std::uint32_t metric);
template <class T>
Step added(T entry) {
    return step(Change<T>{.before = {}, .after = std::move(entry)});
}
template <class T>
Step deleted(T entry) {
    return step(Change<T>{.before = std::move(entry), .after = {}});
}
template <class T>
Step changed(T from, T to) {
    return step(Change<T>{.before = std::move(from), .after = std::move(to)});
}

}  // namespace pve_rdma
