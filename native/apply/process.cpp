#include "apply/process.h"

#include <csignal>
#include <fstream>

#include <sys/syscall.h>

#include <fmt/format.h>
#include <unistd.h>

#include "apply/open_file.h"
#include "base/process_stat.h"

namespace pve_rdma {

namespace {

// 0 when there is none.
std::uint64_t start_of(std::int64_t number) {
    std::ifstream file(fmt::format("/proc/{}/stat", number));
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto stat = parse_process_stat(text);
    return stat ? stat->started : 0;
}

}  // namespace

Process Process::self() {
    return {::getpid(), start_of(::getpid())};
}

bool Process::end() const {
    if (number <= 1 || started == 0) return false;
    // The number is its own as long as this is open.
    const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(number), 0)));
    if (!process || start_of(number) != started) return false;
    return ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0;
}

}  // namespace pve_rdma
