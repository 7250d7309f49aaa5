#include <cerrno>
#include <csignal>

#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "apply/open_file.h"
#include "apply/watchdog.h"

namespace pve_rdma {

namespace {

constexpr int ready_limit_ms = 10'000;

// Between fork and exec in a program that may have threads: system calls alone.
[[noreturn]] void become(const char* program, char* const words[], char* const environment[], int ready) {
    ::setsid();
    if (::fork() != 0) ::_exit(0);  // the grandchild leads no session, so no terminal becomes its own
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGHUP, SIG_IGN);
    ::chdir("/");
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDERR_FILENO);
    ::dup2(ready, STDOUT_FILENO);
    ::close_range(3, ~0u, 0);
    ::execve(program, words, environment);
    ::_exit(127);
}

// The program writes a line when it watches.
bool says_ready(int fd) {
    pollfd one{fd, POLLIN, 0};
    int ready = 0;
    while ((ready = ::poll(&one, 1, ready_limit_ms)) < 0 && errno == EINTR) {
    }
    char octet = 0;
    return ready > 0 && ::read(fd, &octet, 1) == 1;
}

class DetachedWatchdog final : public Watchdog {
  public:
    explicit DetachedWatchdog(std::string program) : program_(std::move(program)) {}

    Result<void> arm(const std::string& id, std::chrono::seconds) override {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return failed(program_, "cannot make a pipe");
        const Fd reader(ends[0]);
        std::string name = id, verb = "watch", path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                    locale = "LC_ALL=C.UTF-8";
        char* words[] = {program_.data(), verb.data(), name.data(), nullptr};
        char* environment[] = {path.data(), locale.data(), nullptr};
        const pid_t child = ::fork();
        const int failure = errno;
        if (child == 0) become(program_.c_str(), words, environment, ends[1]);
        ::close(ends[1]);
        if (child < 0) return std::unexpected(errno_error(failure, program_, "cannot start a process"));
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
        if (says_ready(reader.get())) return {};
        return std::unexpected(Error{.code = ErrorCode::unavailable,
                                     .subject = program_,
                                     .message = "does not start, so nothing would roll this change back",
                                     .hint = "is the package pve-rdma whole? dpkg --verify pve-rdma"});
    }
    Result<void> disarm(const std::string&) override { return {}; }

  private:
    std::string program_;
};

}  // namespace

std::unique_ptr<Watchdog> detached_watchdog(std::string program) {
    return std::make_unique<DetachedWatchdog>(std::move(program));
}

}  // namespace pve_rdma
