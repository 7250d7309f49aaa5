// The hook of ifupdown and ifupdown2: /etc/network/if-*.d/pve-rdma. It carries out our options of
// interfaces(5).
//
// What goes wrong is said on standard error and to syslog, since ifupdown2 drops the words of hooks that
// succeed.
#include <cerrno>
#include <cstdlib>
#include <iostream>

#include <syslog.h>

#include "ifup/hook.h"
#include "observe/interfaces_file.h"
#include "observe/netlink_message.h"

namespace {

using namespace pve_rdma;

void say(int priority, bool to_syslog, const Error& error) {
    const std::string text = error.text() + (error.hint.empty() ? "" : "; hint: " + error.hint);
    std::cerr << "pve-rdma: " << text << '\n';
    if (to_syslog) ::syslog(priority, "%s", text.c_str());
}

// Options that cannot be read must not look as if they had been removed: half a file is none.
Result<eni::View> read_whole(const Machine& machine) {
    MachineFiles files(machine);
    auto view = eni::read_view(files, interfaces_path);
    if (view)
        for (const auto& [error, place] : view->unreadable)
            if (error.errno_value != ENOENT && error.errno_value != EISDIR) return std::unexpected(error);
    return view;
}

int run() {
    const auto occasion = ifup::occasion_of([](const char* name) { return std::getenv(name); });
    if (!occasion) {
        std::cerr << "pve-rdma: " << occasion.error().text() << '\n';
        return 2;
    }
    if (occasion->phase == ifup::Phase::none) return 0;
    const auto machine = Machine::open("/");
    auto transport = open_netlink(NETLINK_ROUTE, "rtnetlink");
    if (!machine || !transport) {
        say(LOG_ERR, true, machine ? transport.error() : machine.error());
        return 0;
    }
    const auto file = read_whole(*machine);
    if (!file) {
        say(LOG_ERR, true, file.error());
        return 0;
    }
    const auto outcome = ifup::run_hook(*occasion, *file, *machine, **transport);
    const bool to_syslog = occasion->phase != ifup::Phase::again;  // said before, in phase up
    for (const auto& error : outcome.errors)
        say(LOG_ERR, to_syslog, error);
    for (const auto& note : outcome.notes)
        say(LOG_WARNING, to_syslog, note);
    return ifup::exit_status(*occasion, outcome);
}

}  // namespace

int main() {
    ::openlog("pve-rdma", LOG_PID, LOG_DAEMON);
    try {
        return run();
    } catch (const std::exception& exception) {
        std::cerr << "pve-rdma: " << exception.what() << " (this is a fault of pve-rdma: please report it)\n";
        return 0;  // the node's network comes first
    }
}
