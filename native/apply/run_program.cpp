#include "apply/run_program.h"

#include <cerrno>

#include <sys/mman.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

namespace pve_rdma {

namespace {

class Actions {
  public:
    Actions() { ::posix_spawn_file_actions_init(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;
    ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
    posix_spawn_file_actions_t* get() { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

// The text as a file that nobody else sees, at its begin; -1 and errno where there is none.
int input_file(std::string_view text) {
    const int fd = ::memfd_create("input", MFD_CLOEXEC);
    while (fd >= 0 && !text.empty()) {
        const ssize_t put = ::write(fd, text.data(), text.size());
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) {
            ::close(fd);
            return -1;
        }
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    if (fd >= 0) ::lseek(fd, 0, SEEK_SET);
    return fd;
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<ProgramResult> run_program(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                                  const ProgramInput& given) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return std::unexpected(errno_error(errno, words[0], "cannot make a pipe"));
    const int input = input_file(given.text);
    if (input < 0) {
        const int failure = errno;
        ::close(ends[0]);
        ::close(ends[1]);
        return std::unexpected(errno_error(failure, words[0], "cannot make its input"));
    }
    Actions actions;
    ::posix_spawn_file_actions_adddup2(actions.get(), input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(actions.get(), ends[1], STDOUT_FILENO);
    if (!given.errors_apart) ::posix_spawn_file_actions_adddup2(actions.get(), ends[1], STDERR_FILENO);
    std::vector<char*> arguments;
    for (const auto& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin", locale[] = "LC_ALL=C.UTF-8";
    char* environment[] = {path, locale, nullptr};
    pid_t child = -1;
    const int failure =
        ::posix_spawn(&child, words[0].c_str(), actions.get(), nullptr, arguments.data(), environment);
    ::close(ends[1]);
    ::close(input);
    if (failure) {
        ::close(ends[0]);
        return std::unexpected(errno_error(failure, words[0], "cannot run"));
    }
    ProgramResult result;
    const auto deadline = std::chrono::steady_clock::now() + limit;
    bool late = false;
    while (!late) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd one{ends[0], POLLIN, 0};
        const int ready = ::poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        if (ready < 0 && errno == EINTR) continue;
        late = ready <= 0;
        if (late) break;
        char buffer[65536];
        const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        if (result.output.size() < given.max_output)
            result.output.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    if (late) ::kill(child, SIGKILL);
    result.status = wait_for(child);
    if (late)
        return std::unexpected(
            Error{.code = ErrorCode::timeout, .subject = words[0], .message = "took too long and was ended"});
    return result;
}

}  // namespace pve_rdma
