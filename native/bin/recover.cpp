// What puts a network back when nobody confirms its change: the watchdog's program, and the boot's.
//     pve-rdma-recover boot          every transaction of another boot: its files
//     pve-rdma-recover watch ID      waits for the deadline of ID, then undoes it unless it is confirmed
//     pve-rdma-recover rollback ID   undoes it now
// Apart from the command line, so that it needs little and starts before the network does. What it says goes
// to standard error and to syslog.
#include <iostream>
#include <string_view>
#include <thread>

#include <syslog.h>
#include <unistd.h>

#include "apply/disk_of_this_node.h"
#include "apply/netlink_kernel.h"
#include "apply/transaction.h"
#include "apply/watch.h"

namespace {

using namespace pve_rdma;

constexpr const char* usage = "usage: pve-rdma-recover boot | watch ID | rollback ID\n";

void say(int priority, const std::string& text) {
    std::cerr << "pve-rdma-recover: " << text << '\n';
    ::syslog(priority, "%s", text.c_str());
}

int report(const TransactionView& view) {
    const bool whole = view.state == to_string(TransactionState::restored) ||
                       view.state == to_string(TransactionState::confirmed);
    for (const auto& note : view.notes)
        say(LOG_WARNING, view.id + ": " + note);
    say(whole ? LOG_NOTICE : LOG_ERR, view.id + ": " + view.state);
    return whole ? 0 : 1;
}

int report(const Result<TransactionView>& view) {
    if (view) return report(*view);
    say(LOG_ERR, view.error().text());
    return 1;
}

// At boot there may be no network yet, and none is asked: the files are all that is put back then.
class NoKernel final : public Kernel {
  public:
    Result<Network> read() override { return std::unexpected(none()); }
    std::vector<StepFailure> carry_out(std::span<const Step>) override { return {{0, none()}}; }

  private:
    static Error none() {
        return {.code = ErrorCode::unavailable, .message = "at boot the kernel is not asked"};
    }
};

int boot(TransactionHost& host) {
    int status = 0;
    for (const auto& view : recover_transactions(host))
        status |= report(view);
    return status;
}

int watch(TransactionHost& host, const std::string& id) {
    std::cout << "watching " << id << std::endl;  // whoever started us waits for it
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    std::string said;
    const Patience patience{.sleep = [](std::chrono::nanoseconds time) { std::this_thread::sleep_for(time); },
                            .say =
                                [&](const Error& error) {
                                    if (error.text() != said) say(LOG_WARNING, id + ": " + error.text());
                                    said = error.text();
                                }};
    const auto view = watch_transaction(host, id, patience);
    if (!view && view.error().code == ErrorCode::not_found) return 0;  // removed: it was settled
    return report(view);
}

}  // namespace

int main(int count, char** words) {
    const std::string_view verb = count > 1 ? words[1] : "";
    ::openlog("pve-rdma-recover", LOG_PID, LOG_DAEMON);
    if (!(count == 2 && verb == "boot") && !(count == 3 && (verb == "watch" || verb == "rollback"))) {
        std::cerr << usage;
        return 2;
    }
    DiskOfThisNode disk;
    const auto watchdog = watchdog_of_this_node();
    if (verb == "boot") {
        NoKernel kernel;
        TransactionHost host{.kernel = kernel, .disk = disk, .watchdog = *watchdog};
        return boot(host);
    }
    const auto kernel = NetlinkKernel::open();
    if (!kernel) {
        say(LOG_ERR, kernel.error().text());
        return 1;
    }
    TransactionHost host{.kernel = **kernel, .disk = disk, .watchdog = *watchdog};
    if (verb == "watch") return watch(host, words[2]);
    return report(roll_back_transaction(host, words[2]));
}
