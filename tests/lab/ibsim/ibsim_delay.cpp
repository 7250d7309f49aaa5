// ibsim_delay: preloaded into the ibsim server, lets every reply leave IBSIM_DELAY_US microseconds later. The
// delay is constant and any number of replies may be under way, as on a fabric whose agents take that long: a
// walk with a window of N finishes N times sooner.
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include <sys/types.h>

#include <dlfcn.h>

namespace {

using Clock = std::chrono::steady_clock;
// The size of ibsim's struct sim_request: a 256-byte MAD and its addressing. All other writes pass at once.
constexpr std::size_t kReplySize = 288;

ssize_t real_write(int fd, const void* data, std::size_t size) {
    static auto* const real =
        reinterpret_cast<ssize_t (*)(int, const void*, std::size_t)>(dlsym(RTLD_NEXT, "write"));
    return real(fd, data, size);
}

std::chrono::microseconds configured_delay() {
    const char* text = std::getenv("IBSIM_DELAY_US");
    return std::chrono::microseconds(text != nullptr ? std::atol(text) : 0);
}

struct Reply {
    int fd;
    Clock::time_point due;
    std::array<char, kReplySize> data;
};

// Since the delay is constant, the first reply in is the first one due.
class DelayLine {
  public:
    explicit DelayLine(std::chrono::microseconds delay) : delay_(delay) {
        std::thread([this] { send_when_due(); }).detach();
    }

    void push(int fd, const void* data) {
        Reply reply{.fd = fd, .due = Clock::now() + delay_, .data = {}};
        std::memcpy(reply.data.data(), data, kReplySize);
        {
            const std::lock_guard lock(mutex_);
            replies_.push_back(reply);
        }
        filled_.notify_one();
    }

  private:
    void send_when_due() {
        for (;;) {
            std::unique_lock lock(mutex_);
            filled_.wait(lock, [this] { return !replies_.empty(); });
            const Reply reply = replies_.front();
            replies_.pop_front();
            lock.unlock();
            std::this_thread::sleep_until(reply.due);
            real_write(reply.fd, reply.data.data(), kReplySize);
        }
    }

    std::chrono::microseconds delay_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::deque<Reply> replies_;
};

}  // namespace

extern "C" ssize_t write(int fd, const void* data, std::size_t size) {
    static const auto delay = configured_delay();
    if (delay.count() <= 0 || size != kReplySize) return real_write(fd, data, size);
    // Never destroyed: its thread sends until the process ends.
    static auto* const line = new DelayLine(delay);
    line->push(fd, data);
    return static_cast<ssize_t>(size);
}
