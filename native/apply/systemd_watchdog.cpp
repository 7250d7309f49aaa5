#include <fmt/format.h>
#include <unistd.h>

#include "apply/run_program.h"
#include "apply/watchdog.h"

namespace pve_rdma {

namespace {

constexpr std::chrono::seconds limit{20};

class SystemdWatchdog final : public Watchdog {
  public:
    explicit SystemdWatchdog(std::string program) : program_(std::move(program)) {}

    // Of the service that the timer starts: who is killed is started again.
    Result<void> arm(const std::string& id, std::chrono::seconds within) override {
        return run({"/usr/bin/systemd-run", "--quiet", "--collect", "--unit=" + unit(id),
                    "--description=Roll back " + id + " of pve-rdma unless it is confirmed",
                    fmt::format("--on-active={}s", within.count()), "--timer-property=AccuracySec=100ms",
                    "--property=Restart=on-failure", "--property=RestartSec=1s", program_, "watch", id},
                   id);
    }
    Result<void> disarm(const std::string& id) override {
        // The service may be who is asking: it must not be ended here, and ends by itself.
        const auto result =
            run_program({"/usr/bin/systemctl", "stop", "--quiet", unit(id) + ".timer"}, limit);
        if (!result) return std::unexpected(result.error());
        return {};  // a status says that there is no such timer
    }

  private:
    static std::string unit(const std::string& id) { return "pve-rdma-rollback-" + id; }

    static Result<void> run(const std::vector<std::string>& words, const std::string& id) {
        const auto result = run_program(words, limit);
        if (!result) return std::unexpected(result.error());
        if (result->status == 0) return {};
        return std::unexpected(Error{
            .code = ErrorCode::machine,
            .subject = id,
            .message =
                fmt::format("systemd does not take the timer that would roll this back: {}", result->output),
            .hint = "systemctl status says how systemd is"});
    }

    std::string program_;
};

}  // namespace

std::unique_ptr<Watchdog> systemd_watchdog(std::string program) {
    return std::make_unique<SystemdWatchdog>(std::move(program));
}

std::unique_ptr<Watchdog> watchdog_of_this_node(std::string program) {
    if (::access("/run/systemd/system", F_OK) == 0) return systemd_watchdog(std::move(program));
    return detached_watchdog(std::move(program));
}

}  // namespace pve_rdma
