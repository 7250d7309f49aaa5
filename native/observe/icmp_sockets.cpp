#include "observe/icmp_sockets.h"

#include <cerrno>

#include <poll.h>

#include "observe/icmp_socket.h"

namespace pve_rdma {

namespace {

class IcmpSockets final : public EchoTransport {
  public:
    IcmpSockets(std::unique_ptr<IcmpSocket> v4, std::unique_ptr<IcmpSocket> v6)
        : v4_(std::move(v4)), v6_(std::move(v6)) {}

    Result<void> send(const EchoTarget& target, std::uint16_t sequence, std::uint32_t size) override {
        IcmpSocket* socket = target.address.is_v6() ? v6_.get() : v4_.get();
        if (!socket)
            return std::unexpected(
                errno_error(EAFNOSUPPORT, target.address.text(), "no socket of its family"));
        return socket->send(target, sequence, size);
    }

    std::optional<EchoEvent> receive() override {
        for (IcmpSocket* socket : {v4_.get(), v6_.get()})
            if (socket)
                if (const auto event = socket->receive()) return event;
        return std::nullopt;
    }

    void wait(std::chrono::milliseconds longest) override {
        pollfd fds[2]{};
        nfds_t count = 0;
        for (const IcmpSocket* socket : {v4_.get(), v6_.get()})
            if (socket) fds[count++] = {.fd = socket->fd(), .events = POLLIN, .revents = 0};
        ::poll(fds, count, static_cast<int>(longest.count()));
    }

    Clock::time_point now() override { return Clock::now(); }

  private:
    std::unique_ptr<IcmpSocket> v4_, v6_;
};

}  // namespace

Result<std::unique_ptr<EchoTransport>> open_icmp_sockets(bool v4, bool v6) {
    std::unique_ptr<IcmpSocket> sockets[2];
    for (const bool family_v6 : {false, true}) {
        if (!(family_v6 ? v6 : v4)) continue;
        auto socket = IcmpSocket::open(family_v6);
        if (!socket) return std::unexpected(socket.error());
        sockets[family_v6] = std::move(*socket);
    }
    return std::make_unique<IcmpSockets>(std::move(sockets[0]), std::move(sockets[1]));
}

}  // namespace pve_rdma
