#include "observe/icmp_socket.h"

#include <cerrno>
#include <cstring>
#include <span>

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <sys/random.h>

#include <unistd.h>

namespace pve_rdma {

namespace {

constexpr std::size_t v4_header = 20, v6_header = 40;
constexpr int receive_room = 8 * 1024 * 1024;

// The header of an echo request or reply (RFC 792; RFC 4443, 4.1), in network order.
struct Echo {
    std::uint8_t type = 0, code = 0;
    std::uint16_t checksum = 0, identifier = 0, sequence = 0;
};
static_assert(sizeof(Echo) == 8);

// RFC 1071.
std::uint16_t internet_checksum(std::span<const std::uint8_t> octets) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < octets.size(); ++i)
        sum += i % 2 ? octets[i] : std::uint32_t{octets[i]} << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return htons(static_cast<std::uint16_t>(~sum));
}

Error no_socket(int errno_value, bool v6, std::string message = "cannot be opened") {
    Error error = errno_error(errno_value, v6 ? "ICMPv6 socket" : "ICMP socket", std::move(message));
    if (error.code == ErrorCode::permission)
        error.hint = "run as root, or let your group ping: sysctl net.ipv4.ping_group_range=\"0 2147483647\"";
    return error;
}

socklen_t socket_address(const EchoTarget& target, sockaddr_storage& out) {
    if (target.address.is_v6()) {
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

// The IP address in a sockaddr_in or sockaddr_in6.
IpAddress ip_address(const void* socket_address, bool v6) {
    const auto* octets = static_cast<const std::uint8_t*>(socket_address) +
                         (v6 ? offsetof(sockaddr_in6, sin6_addr) : offsetof(sockaddr_in, sin_addr));
    IpAddress address;
    address.length = v6 ? 16 : 4;
    std::memcpy(address.octets.data(), octets, address.length);
    return address;
}

}  // namespace

IcmpSocket::IcmpSocket(bool v6) : v6_(v6), buffer_(0x10000 + v6_header) {}

IcmpSocket::~IcmpSocket() {
    if (fd_ >= 0) ::close(fd_);
}

Result<std::unique_ptr<IcmpSocket>> IcmpSocket::open(bool v6) {
    std::unique_ptr<IcmpSocket> self(new IcmpSocket(v6));
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
    if (!self->forbid_fragments())
        return std::unexpected(no_socket(errno, v6, "the kernel does not let it forbid fragmentation"));
    if (!self->set(SOL_SOCKET, SO_RCVBUFFORCE, receive_room)) self->set(SOL_SOCKET, SO_RCVBUF, receive_room);
    if (::getrandom(self->mark_.data(), self->mark_.size(), 0) < 0)
        return std::unexpected(no_socket(errno, v6, "no random number to know its replies by"));
    std::memcpy(&self->identifier_, self->mark_.data(), sizeof self->identifier_);
    return self;
}

bool IcmpSocket::set(int level, int option, int value) {
    return ::setsockopt(fd_, level, option, &value, sizeof value) == 0;
}

bool IcmpSocket::forbid_fragments() {
    if (v6_)
        return set(IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE) &&
               set(IPPROTO_IPV6, IPV6_DONTFRAG, 1) && set(IPPROTO_IPV6, IPV6_RECVERR, 1);
    return set(IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE) && set(IPPROTO_IP, IP_RECVERR, 1);
}

// A raw socket would get every ICMP message of the node. Where this fails, reply() sorts them out.
void IcmpSocket::take_replies_only() {
    if (v6_) {
        icmp6_filter filter;
        ICMP6_FILTER_SETBLOCKALL(&filter);
        ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &filter);
        ::setsockopt(fd_, IPPROTO_ICMPV6, ICMP6_FILTER, &filter, sizeof filter);
    } else {
        constexpr int icmp_filter = 1;  // ICMP_FILTER of linux/icmp.h, which clashes with netinet/ip_icmp.h
        const std::uint32_t blocked = ~(std::uint32_t{1} << ICMP_ECHOREPLY);
        ::setsockopt(fd_, SOL_RAW, icmp_filter, &blocked, sizeof blocked);
    }
}

int IcmpSocket::pending_error() {
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &length);
    return error;
}

std::size_t IcmpSocket::ip_header() const {
    return v6_ ? v6_header : v4_header;
}

std::vector<std::uint8_t> IcmpSocket::request(std::uint16_t sequence, std::uint32_t size) const {
    const std::size_t shortest = ip_header() + sizeof(Echo) + mark_.size();
    std::vector<std::uint8_t> packet(std::max<std::size_t>(size, shortest) - ip_header());
    Echo echo{.type = v6_ ? std::uint8_t{ICMP6_ECHO_REQUEST} : std::uint8_t{ICMP_ECHO},
              .identifier = identifier_,
              .sequence = htons(sequence)};
    std::memcpy(packet.data(), &echo, sizeof echo);
    std::memcpy(packet.data() + sizeof echo, mark_.data(), mark_.size());
    // The kernel fills it in for datagram sockets and for ICMPv6.
    if (raw_ && !v6_) {
        echo.checksum = internet_checksum(packet);
        std::memcpy(packet.data(), &echo, sizeof echo);
    }
    return packet;
}

Result<void> IcmpSocket::send(const EchoTarget& target, std::uint16_t sequence, std::uint32_t size) {
    const auto packet = request(sequence, size);
    sockaddr_storage to{};
    const socklen_t length = socket_address(target, to);
    // An ICMP error that came for an earlier request makes the next call fail, whatever that is about; the
    // error queue has it too. So such errors are taken away first, and a failure counts when it comes again.
    int failure = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        pending_error();
        if (::sendto(fd_, packet.data(), packet.size(), 0, reinterpret_cast<sockaddr*>(&to), length) >= 0)
            return {};
        if (errno == failure) break;
        failure = errno;
    }
    if (failure == EAGAIN) failure = ENOBUFS;  // its send buffer is full
    return std::unexpected(errno_error(failure, target.address.text(), "this node does not send to it"));
}

std::optional<EchoEvent> IcmpSocket::receive() {
    while (const auto length = take(0))
        if (const auto event = reply(*length)) return event;
    while (const auto length = take(MSG_ERRQUEUE))
        if (const auto event = icmp_error(*length)) return event;
    return std::nullopt;
}

std::optional<std::size_t> IcmpSocket::take(int flags) {
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

std::optional<EchoEvent> IcmpSocket::reply(std::size_t length) const {
    std::size_t at = 0;
    if (raw_ && !v6_) {  // the IP header is there too
        if (length < v4_header) return std::nullopt;
        at = std::size_t{buffer_[0] & 0x0fU} * 4;
    }
    if (length < at + sizeof(Echo) + mark_.size()) return std::nullopt;
    Echo echo;
    std::memcpy(&echo, buffer_.data() + at, sizeof echo);
    const std::uint8_t wanted = v6_ ? std::uint8_t{ICMP6_ECHO_REPLY} : std::uint8_t{ICMP_ECHOREPLY};
    if (echo.type != wanted || (raw_ && echo.identifier != identifier_)) return std::nullopt;
    if (std::memcmp(buffer_.data() + at + sizeof echo, mark_.data(), mark_.size()) != 0) return std::nullopt;
    return EchoEvent{.kind = EchoEvent::Kind::reply,
                     .sequence = ntohs(echo.sequence),
                     .from = ip_address(&from_, v6_),
                     .size = static_cast<std::uint32_t>(length - at + ip_header())};
}

std::optional<EchoEvent> IcmpSocket::icmp_error(std::size_t length) {
    Echo echo;  // the request, as the error quotes it
    if (length < sizeof echo) return std::nullopt;
    std::memcpy(&echo, buffer_.data(), sizeof echo);
    if (raw_ && echo.identifier != identifier_) return std::nullopt;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message_); part; part = CMSG_NXTHDR(&message_, part)) {
        const bool ours = v6_ ? part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR
                              : part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR;
        const std::size_t offender = v6_ ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
        if (!ours || part->cmsg_len < CMSG_LEN(sizeof(sock_extended_err) + offender)) continue;
        sock_extended_err error;
        std::memcpy(&error, CMSG_DATA(part), sizeof error);
        // Errors of the own link were told by sendto() already.
        if (error.ee_origin != (v6_ ? SO_EE_ORIGIN_ICMP6 : SO_EE_ORIGIN_ICMP)) return std::nullopt;
        const bool too_big = v6_ ? error.ee_type == ICMP6_PACKET_TOO_BIG
                                 : error.ee_type == ICMP_DEST_UNREACH && error.ee_code == ICMP_FRAG_NEEDED;
        return EchoEvent{.kind = too_big ? EchoEvent::Kind::too_big : EchoEvent::Kind::unreachable,
                         .sequence = ntohs(echo.sequence),
                         .from = ip_address(CMSG_DATA(part) + sizeof error, v6_),
                         .mtu = too_big ? error.ee_info : 0,
                         .errno_value = static_cast<int>(error.ee_errno)};
    }
    return std::nullopt;
}

}  // namespace pve_rdma
