// One ICMP socket of one family; see icmp_sockets.h for what it is and what it needs. Sizes are those of
// whole IP packets. Threads: one at a time.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <sys/socket.h>

#include "observe/echo_transport.h"

namespace pve_rdma {

class IcmpSocket {
  public:
    static Result<std::unique_ptr<IcmpSocket>> open(bool v6);
    IcmpSocket(const IcmpSocket&) = delete;
    IcmpSocket& operator=(const IcmpSocket&) = delete;
    ~IcmpSocket();

    int fd() const { return fd_; }
    Result<void> send(const EchoTarget&, std::uint16_t sequence, std::uint32_t size);
    std::optional<EchoEvent> receive();

  private:
    explicit IcmpSocket(bool v6);

    bool set(int level, int option, int value);
    bool forbid_fragments();
    void take_replies_only();
    int pending_error();
    std::size_t ip_header() const;
    std::vector<std::uint8_t> request(std::uint16_t sequence, std::uint32_t size) const;
    // One datagram into buffer_, its sender into from_, its control messages into message_.
    std::optional<std::size_t> take(int flags);
    std::optional<EchoEvent> reply(std::size_t length) const;
    std::optional<EchoEvent> icmp_error(std::size_t length);

    bool v6_;
    bool raw_ = false;
    int fd_ = -1;
    std::uint16_t identifier_ = 0;        // of raw sockets; the kernel gives datagram sockets one
    std::array<std::uint8_t, 8> mark_{};  // in each request, so that a stranger's reply is not taken for ours
    std::vector<std::uint8_t> buffer_;
    alignas(cmsghdr) std::array<char, 512> control_{};
    sockaddr_storage from_{};
    iovec part_{};
    msghdr message_{};
};

}  // namespace pve_rdma
