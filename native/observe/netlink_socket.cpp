#include <cerrno>
#include <vector>

#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "observe/netlink_transport.h"

namespace pve_rdma {

namespace {

// A dump's datagrams are at most 32 KiB, but one message (a link with many virtual functions) may be longer.
constexpr std::size_t first_buffer = 64 * 1024;
constexpr std::size_t largest_buffer = 4 * 1024 * 1024;
// Room for events that arrive while a dump is read; the kernel doubles it and charges whole buffers to it.
constexpr int receive_room = 4 * 1024 * 1024;
constexpr timeval time_limit{.tv_sec = 5, .tv_usec = 0};

class KernelSocket final : public NetlinkTransport {
  public:
    static Result<std::unique_ptr<NetlinkTransport>> open(int protocol, const std::string& subject,
                                                          std::uint32_t groups) {
        std::unique_ptr<KernelSocket> self(new KernelSocket);
        self->subject_ = subject;
        self->socket_ = ::nl_socket_alloc();
        if (!self->socket_) return std::unexpected(errno_error(ENOMEM, subject, "no netlink socket"));
        ::nl_join_groups(self->socket_, static_cast<int>(groups));
        errno = 0;
        if (const int failure = ::nl_connect(self->socket_, protocol); failure < 0) {
            // libnl folds errno values together; errno itself still stands where a system call failed.
            Error error = errno_error(errno ? errno : EPROTONOSUPPORT, subject, "no netlink socket");
            error.kernel_text = ::nl_geterror(failure);
            return std::unexpected(error);
        }
        self->fd_ = ::nl_socket_get_fd(self->socket_);
        self->set(SOL_NETLINK, NETLINK_EXT_ACK, 1);
        self->set(SOL_NETLINK, NETLINK_GET_STRICT_CHK, 1);  // since Linux 4.20; filters are ignored without
        if (!self->set(SOL_SOCKET, SO_RCVBUFFORCE, receive_room))
            self->set(SOL_SOCKET, SO_RCVBUF, receive_room);
        ::setsockopt(self->fd_, SOL_SOCKET, SO_RCVTIMEO, &time_limit, sizeof time_limit);
        return self;
    }

    KernelSocket(const KernelSocket&) = delete;
    KernelSocket& operator=(const KernelSocket&) = delete;
    ~KernelSocket() override { ::nl_socket_free(socket_); }

    Result<void> send(std::span<const std::byte> messages) override {
        if (::send(fd_, messages.data(), messages.size(), 0) < 0)
            return std::unexpected(errno_error(errno, subject_, "the kernel did not take a request"));
        return {};
    }

    Result<std::span<const std::byte>> receive(bool wait) override {
        for (;;) {
            const auto length = ::recv(fd_, buffer_.get(), size_, MSG_TRUNC | (wait ? 0 : MSG_DONTWAIT));
            if (length >= 0) {
                const auto octets = static_cast<std::size_t>(length);
                if (octets <= size_) return std::span<const std::byte>(buffer_.get(), octets);
                while (size_ < octets && size_ < largest_buffer)
                    size_ *= 2;
                buffer_ = std::make_unique_for_overwrite<std::byte[]>(size_);
                return std::unexpected(errno_error(EMSGSIZE, subject_, "a message was longer than expected"));
            }
            if (errno == EINTR) continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK) return std::span<const std::byte>{};
            return std::unexpected(errno_error(errno, subject_, "no answer could be received"));
        }
    }

    Result<void> subscribe(std::uint32_t group) override {
        if (!set(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, static_cast<int>(group)))
            return std::unexpected(errno_error(errno, subject_, "no subscription to the kernel's events"));
        return {};
    }

    std::uint32_t port() const override { return ::nl_socket_get_local_port(socket_); }

  private:
    KernelSocket() : buffer_(std::make_unique_for_overwrite<std::byte[]>(first_buffer)) {}

    bool set(int level, int option, int value) {
        return ::setsockopt(fd_, level, option, &value, sizeof value) == 0;
    }

    nl_sock* socket_ = nullptr;
    int fd_ = -1;
    std::string subject_;
    std::size_t size_ = first_buffer;
    std::unique_ptr<std::byte[]> buffer_;
};

}  // namespace

Result<std::unique_ptr<NetlinkTransport>> open_netlink(int protocol, const std::string& subject,
                                                       std::uint32_t groups) {
    return KernelSocket::open(protocol, subject, groups);
}

}  // namespace pve_rdma
