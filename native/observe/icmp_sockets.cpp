#include "observe/icmp_sockets.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <poll.h>
#include <unistd.h>

namespace pve_rdma {

namespace {

constexpr std::size_t icmp_header =
    8;  // type, code, checksum, identifier, sequence: the same in both families
constexpr std::size_t v4_header = 20, v6_header = 40;
constexpr int receive_room = 8 * 1024 * 1024;

// The header of an echo request or reply (RFC 792, RFC 4443 4.1), in network order.
struct Echo {
    std::uint8_t type = 0, code = 0;
    std::uint16_t checksum = 0, identifier = 0, sequence = 0;
};
static_assert(sizeof(Echo) == icmp_header);

// RFC 1071.
std::uint16_t internet_checksum(std::span<const std::uint8_t> octets) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < octets.size(); ++i)
        sum += i % 2 ? octets[i] : std::uint32_t{octets[i]} << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return htons(static_cast<std::uint16_t>(~sum));
}

Error no_socket(int errno_value, bool v6) {
    Error error = errno_error(errno_value, v6 ? "ICMPv6 socket" : "ICMP socket", "cannot be opened");
    if (error.code == ErrorCode::permission)
        error.hint = "run as root, or let your group ping: sysctl net.ipv4.ping_group_range=\"0 2147483647\"";
    return error;
}

class Socket {
  public:
    static Result<std::unique_ptr<Socket>> open(bool v6) {
        std::unique_ptr<Socket> self(new Socket(v6));
        const int family = v6 ? AF_INET6 : AF_INET;
        const int protocol = v6 ? static_cast<int>(IPPROTO_ICMPV6) : static_cast<int>(IPPROTO_ICMP);
        constexpr int flags = SOCK_CLOEXEC | SOCK_NONBLOCK;
        self->fd_ = ::socket(family, SOCK_DGRAM | flags, protocol);
        if (self->fd_ < 0) {
            self->raw_ = true;
            self->fd_ = ::socket(family, SOCK_RAW | flags, protocol);
            if (self->fd_ < 0) return std::unexpected(no_socket(errno, v6));
            self->take_replies_only();
        }
        const bool set = v6 ? self->set(IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE) &&
                                  self->set(IPPROTO_IPV6, IPV6_DONTFRAG, 1) &&
                                  self->set(IPPROTO_IPV6, IPV6_RECVERR, 1)
                            : self->set(IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE) &&
                                  self->set(IPPROTO_IP, IP_RECVERR, 1);
        if (!set)
            return std::unexpected(errno_error(errno, v6 ? "ICMPv6 socket" : "ICMP socket",
                                               "the kernel does not let it forbid fragmentation"));
        if (!self->set(SOL_SOCKET, SO_RCVBUFFORCE, receive_room))
            self->set(SOL_SOCKET, SO_RCVBUF, receive_room);
        if (::getrandom(self->mark_.data(), self->mark_.size(), 0) < 0) self->mark_.fill(0x5a);
        std::memcpy(&self->identifier_, self->mark_.data(), sizeof self->identifier_);
        return self;
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() {
        if (fd_ >= 0) ::close(fd_);
    }

    int fd() const { return fd_; }

    Result<void> send(const EchoTarget& target, std::uint16_t sequence, std::uint32_t size) {
        const std::size_t length =
            std::max<std::size_t>(size - std::min<std::size_t>(size, header()), icmp_header + mark_.size());
        std::vector<std::uint8_t> packet(length, 0);
        Echo echo{.type = v6_ ? std::uint8_t{ICMP6_ECHO_REQUEST} : std::uint8_t{ICMP_ECHO},
                  .identifier = identifier_,
                  .sequence = htons(sequence)};
        std::memcpy(packet.data() + icmp_header, mark_.data(), mark_.size());
        std::memcpy(packet.data(), &echo, sizeof echo);
        // The kernel fills it in for datagram sockets and for ICMPv6.
        if (raw_ && !v6_) {
            echo.checksum = internet_checksum(packet);
            std::memcpy(packet.data(), &echo, sizeof echo);
        }
        sockaddr_storage to{};
        const socklen_t to_length = socket_address(target, to);
        for (bool again = true;; again = false) {
            // An earlier ICMP error also makes the next call fail, whatever it is about; the error queue has
            // it.
            const int before = pending_error();
            if (::sendto(fd_, packet.data(), packet.size(), 0, reinterpret_cast<sockaddr*>(&to), to_length) >=
                0)
                return {};
            const int failure = errno == EAGAIN ? ENOBUFS : errno;
            if (again && (before || failure != EMSGSIZE)) continue;
            if (again && pending_error()) continue;
            return std::unexpected(
                errno_error(failure, target.address.text(), "this node does not send to it"));
        }
    }

    std::optional<EchoEvent> receive() {
        while (const auto length = take(0)) {
            const auto event = reply(*length);
            if (event) return event;
        }
        while (const auto length = take(MSG_ERRQUEUE)) {
            const auto event = icmp_error(*length);
            if (event) return event;
        }
        return std::nullopt;
    }

  private:
    explicit Socket(bool v6) : v6_(v6), buffer_(0x10000 + v6_header) {}

    bool set(int level, int option, int value) {
        return ::setsockopt(fd_, level, option, &value, sizeof value) == 0;
    }

    std::size_t header() const { return v6_ ? v6_header : v4_header; }

    // A raw socket would get every ICMP message of the node. Failing that, reply() sorts them out.
    void take_replies_only() {
        if (v6_) {
            icmp6_filter filter;
            ICMP6_FILTER_SETBLOCKALL(&filter);
            ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &filter);
            ::setsockopt(fd_, IPPROTO_ICMPV6, ICMP6_FILTER, &filter, sizeof filter);
        } else {
            constexpr int icmp_filter =
                1;  // ICMP_FILTER of linux/icmp.h, which clashes with netinet/ip_icmp.h
            const std::uint32_t blocked = ~(std::uint32_t{1} << ICMP_ECHOREPLY);
            ::setsockopt(fd_, SOL_RAW, icmp_filter, &blocked, sizeof blocked);
        }
    }

    int pending_error() {
        int error = 0;
        socklen_t length = sizeof error;
        ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &length);
        return error;
    }

    socklen_t socket_address(const EchoTarget& target, sockaddr_storage& out) const {
        if (v6_) {
            sockaddr_in6 address{};
            address.sin6_family = AF_INET6;
            address.sin6_scope_id = target.scope;
            std::memcpy(&address.sin6_addr, target.address.octets.data(), 16);
            std::memcpy(&out, &address, sizeof address);
            return sizeof address;
        }
        sockaddr_in address{};
        address.sin_family = AF_INET;
        std::memcpy(&address.sin_addr, target.address.octets.data(), 4);
        std::memcpy(&out, &address, sizeof address);
        return sizeof address;
    }

    static IpAddress address_of(const void* socket_address, bool v6) {
        IpAddress address;
        const auto* octets = static_cast<const std::uint8_t*>(socket_address) +
                             (v6 ? offsetof(sockaddr_in6, sin6_addr) : offsetof(sockaddr_in, sin_addr));
        address.length = v6 ? 16 : 4;
        std::memcpy(address.octets.data(), octets, address.length);
        return address;
    }

    // One datagram into buffer_, its sender into from_, its control messages into message_.
    std::optional<std::size_t> take(int flags) {
        // An earlier ICMP error fails a call once; it is no reason to stop, yet no reason to go on for ever.
        for (int calls = 0; calls < 100; ++calls) {
            part_ = {buffer_.data(), buffer_.size()};
            message_ = {};
            message_.msg_name = &from_;
            message_.msg_namelen = sizeof from_;
            message_.msg_iov = &part_;
            message_.msg_iovlen = 1;
            message_.msg_control = control_.data();
            message_.msg_controllen = control_.size();
            const auto length = ::recvmsg(fd_, &message_, flags | MSG_DONTWAIT);
            if (length >= 0) return static_cast<std::size_t>(length);
            if (errno == EAGAIN || flags) return std::nullopt;
        }
        return std::nullopt;
    }

    std::optional<EchoEvent> reply(std::size_t length) const {
        std::size_t at = 0;
        if (raw_ && !v6_) {  // the IP header is there too
            if (length < v4_header) return std::nullopt;
            at = std::size_t{buffer_[0] & 0x0fU} * 4;
        }
        if (length < at + icmp_header + mark_.size()) return std::nullopt;
        Echo echo;
        std::memcpy(&echo, buffer_.data() + at, sizeof echo);
        const std::uint8_t wanted = v6_ ? std::uint8_t{ICMP6_ECHO_REPLY} : std::uint8_t{ICMP_ECHOREPLY};
        if (echo.type != wanted || (raw_ && echo.identifier != identifier_)) return std::nullopt;
        if (std::memcmp(buffer_.data() + at + icmp_header, mark_.data(), mark_.size()) != 0)
            return std::nullopt;
        return EchoEvent{.kind = EchoEvent::Kind::reply,
                         .sequence = ntohs(echo.sequence),
                         .from = address_of(&from_, v6_),
                         .size = static_cast<std::uint32_t>(length - at + header())};
    }

    std::optional<EchoEvent> icmp_error(std::size_t length) {
        if (length < icmp_header) return std::nullopt;
        Echo echo;  // the request, as the error quotes it
        std::memcpy(&echo, buffer_.data(), sizeof echo);
        if (raw_ && echo.identifier != identifier_) return std::nullopt;
        for (cmsghdr* part = CMSG_FIRSTHDR(&message_); part; part = CMSG_NXTHDR(&message_, part)) {
            const bool ours = v6_ ? part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR
                                  : part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR;
            if (!ours || part->cmsg_len < CMSG_LEN(sizeof(sock_extended_err) + sizeof(sockaddr_in))) continue;
            sock_extended_err error;
            std::memcpy(&error, CMSG_DATA(part), sizeof error);
            // Errors of the own link were told by sendto() already.
            if (error.ee_origin != (v6_ ? SO_EE_ORIGIN_ICMP6 : SO_EE_ORIGIN_ICMP)) return std::nullopt;
            const bool too_big =
                v6_ ? error.ee_type == ICMP6_PACKET_TOO_BIG
                    : error.ee_type == ICMP_DEST_UNREACH && error.ee_code == ICMP_FRAG_NEEDED;
            return EchoEvent{.kind = too_big ? EchoEvent::Kind::too_big : EchoEvent::Kind::unreachable,
                             .sequence = ntohs(echo.sequence),
                             .from = address_of(CMSG_DATA(part) + sizeof error, v6_),
                             .mtu = too_big ? error.ee_info : 0,
                             .errno_value = static_cast<int>(error.ee_errno)};
        }
        return std::nullopt;
    }

    bool v6_;
    bool raw_ = false;
    int fd_ = -1;
    std::uint16_t identifier_ = 0;
    std::array<std::uint8_t, 8> mark_{};  // in each request, so that a stranger's reply is not taken for ours
    std::vector<std::uint8_t> buffer_;
    alignas(cmsghdr) std::array<char, 512> control_{};
    sockaddr_storage from_{};
    iovec part_{};
    msghdr message_{};
};

class IcmpSockets final : public EchoTransport {
  public:
    IcmpSockets(std::unique_ptr<Socket> v4, std::unique_ptr<Socket> v6)
        : v4_(std::move(v4)), v6_(std::move(v6)) {}

    Result<void> send(const EchoTarget& target, std::uint16_t sequence, std::uint32_t size) override {
        Socket* socket = target.address.is_v6() ? v6_.get() : v4_.get();
        if (!socket)
            return std::unexpected(
                errno_error(EAFNOSUPPORT, target.address.text(), "no socket of its family"));
        return socket->send(target, sequence, size);
    }

    std::optional<EchoEvent> receive() override {
        for (Socket* socket : {v4_.get(), v6_.get()})
            if (socket)
                if (const auto event = socket->receive()) return event;
        return std::nullopt;
    }

    void wait(std::chrono::milliseconds longest) override {
        pollfd fds[2]{};
        nfds_t count = 0;
        for (const Socket* socket : {v4_.get(), v6_.get()})
            if (socket) fds[count++] = {.fd = socket->fd(), .events = POLLIN, .revents = 0};
        ::poll(fds, count, static_cast<int>(longest.count()));
    }

    Clock::time_point now() override { return Clock::now(); }

  private:
    std::unique_ptr<Socket> v4_, v6_;
};

}  // namespace

Result<std::unique_ptr<EchoTransport>> open_icmp_sockets(bool v4, bool v6) {
    std::unique_ptr<Socket> sockets[2];
    for (const bool family_v6 : {false, true}) {
        if (!(family_v6 ? v6 : v4)) continue;
        auto socket = Socket::open(family_v6);
        if (!socket) return std::unexpected(socket.error());
        sockets[family_v6] = std::move(*socket);
    }
    return std::make_unique<IcmpSockets>(std::move(sockets[0]), std::move(sockets[1]));
}

}  // namespace pve_rdma
