#include "mad/umad_transport.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include <infiniband/umad.h>

#include <endian.h>
#include <fcntl.h>
#include <fmt/format.h>

#include "mad/rmpp.h"
#include "mad/words.h"

namespace pve_rdma {

namespace {

struct Agent {
    MadClass management_class;
    int version;
    std::uint8_t rmpp_version;
};
constexpr Agent agents[] = {{MadClass::subnet, 1, 0},
                            {MadClass::subnet_directed, 1, 0},
                            {MadClass::administration, 2, 1},
                            {MadClass::performance, 1, 0}};
constexpr int mad_octets = 256;

// Buffer of a umad: its header, whose size libibumad learns when the first port is opened, and the MAD.
class UmadBuffer {
  public:
    explicit UmadBuffer(int octets) : words_((umad_size() + static_cast<std::size_t>(octets) + 7) / 8) {}
    void* umad() { return words_.data(); }
    std::uint8_t* mad() { return static_cast<std::uint8_t*>(umad_get_mad(umad())); }

  private:
    std::vector<std::uint64_t> words_;
};

Error open_error(int error, const LocalPort& port) {
    Error out = errno_error(error, fmt::format("{} port {}", port.via.ca, port.via.port),
                            "its umad device cannot be opened");
    if (error == EACCES || error == EPERM) out.hint = "management datagrams need root";
    if (error == ENOENT || error == ENODEV || error == ENXIO) out.hint = "modprobe ib_umad";
    return out;
}

class UmadTransport : public MadTransport {
  public:
    UmadTransport(int port, std::uint16_t pkey_index) : port_(port), pkey_index_(pkey_index) {}
    ~UmadTransport() override {
        for (const auto& [management_class, agent] : agents_)
            umad_unregister(port_, agent);
        umad_close_port(port_);
    }
    UmadTransport(const UmadTransport&) = delete;
    UmadTransport& operator=(const UmadTransport&) = delete;

    Result<void> register_agents() {
        for (const auto& [management_class, version, rmpp_version] : agents) {
            errno = 0;
            const int agent =
                umad_register(port_, static_cast<int>(management_class), version, rmpp_version, nullptr);
            if (agent < 0)
                return std::unexpected(
                    errno_error(errno ? errno : -agent, "umad",
                                fmt::format("the kernel did not register management class 0x{:02x}",
                                            static_cast<unsigned>(management_class))));
            agents_[management_class] = agent;
        }
        return {};
    }

    Result<void> send(const OutgoingMad& mad) override {
        const auto agent = agents_.find(mad.management_class());
        if (agent == agents_.end())
            return std::unexpected(Error{.code = ErrorCode::internal, .message = "a class without an agent"});
        UmadBuffer buffer(mad_octets);
        std::ranges::copy(mad.octets, buffer.mad());
        umad_set_addr(buffer.umad(), mad.lid, static_cast<int>(mad.qpn), mad.sl, static_cast<int>(mad.qkey));
        umad_set_grh(buffer.umad(), nullptr);
        umad_set_pkey(buffer.umad(), mad.qpn ? pkey_index_ : 0);
        errno = 0;
        // Retries are the engine's: they adapt the window.
        const int sent =
            umad_send(port_, agent->second, buffer.umad(), mad_octets, static_cast<int>(mad.timeout_ms), 0);
        if (sent < 0)
            return std::unexpected(
                errno_error(errno ? errno : -sent, "umad", "the kernel did not take a MAD"));
        return {};
    }

    Result<std::optional<IncomingMad>> receive(MadTime until) override {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now()).count();
        // 0 would block for ever.
        const int timeout = static_cast<int>(std::clamp<std::int64_t>(left, 1, 60'000));
        int length = mad_octets;
        UmadBuffer buffer(length);
        int received = umad_recv(port_, buffer.umad(), &length, timeout);
        if (received == -ENOSPC && length > mad_octets &&
            length <= static_cast<int>(RmppTransfer::max_octets)) {
            buffer = UmadBuffer(length);
            received = umad_recv(port_, buffer.umad(), &length, timeout);
        }
        if (received < 0) {
            if (received == -ETIMEDOUT || received == -EWOULDBLOCK || received == -EINTR || errno == EINTR)
                return std::nullopt;
            return std::unexpected(errno_error(errno ? errno : -received, "umad", "no MAD can be received"));
        }
        IncomingMad mad;
        mad.status = umad_status(buffer.umad());
        mad.octets.assign(static_cast<std::size_t>(std::max(length, mad_octets)), 0);
        std::copy_n(buffer.mad(), length, mad.octets.begin());
        return mad;
    }

    MadTime now() const override { return std::chrono::steady_clock::now(); }
    bool joins_segments() const override { return true; }

  private:
    int port_;
    std::uint16_t pkey_index_;
    std::map<MadClass, int> agents_;
};

LocalPort local_port(const umad_port_t& port) {
    LocalPort out;
    out.via.ca = port.ca_name;
    out.via.port = static_cast<std::uint32_t>(port.portnum);
    out.via.port_guid = Guid{be64toh(port.port_guid)};
    out.via.gid_prefix = be64toh(port.gid_prefix);
    out.via.lid = port.base_lid;
    out.via.sm_lid = port.sm_lid;
    out.via.sm_sl = port.sm_sl;
    out.via.state = port_state_word(port.state);
    // Kernels before 2.6.37 and umad2sim have no link_layer file; libibumad then says "IB".
    out.infiniband =
        std::strcmp(port.link_layer, "IB") == 0 || std::strcmp(port.link_layer, "InfiniBand") == 0;
    for (unsigned i = port.pkeys_size; i-- > 0;)
        if (PKey{port.pkeys[i]}.partition() == PKey::default_partition)
            out.default_pkey_index = static_cast<std::uint16_t>(i);
    return out;
}

}  // namespace

std::vector<LocalPort> umad_ports(std::vector<Unread>& unread) {
    std::vector<LocalPort> out;
    umad_init();
    umad_device_node* list = umad_get_ca_device_list();
    for (const umad_device_node* node = list; node; node = node->next) {
        // umad_get_ca would fail as a whole for one bad port.
        bool any = false;
        for (int number = 1; number < UMAD_CA_MAX_PORTS; ++number) {
            umad_port_t port{};
            errno = 0;
            if (const int failed = umad_get_port(node->ca_name, number, &port); failed < 0) {
                if (any) break;
                if (number == 1)
                    unread.push_back(Unread::from(
                        errno_error(errno ? errno : -failed, node->ca_name, "libibumad cannot read port 1")));
                continue;
            }
            any = true;
            out.push_back(local_port(port));
            umad_release_port(&port);
        }
    }
    umad_free_ca_device_list(list);
    return out;
}

Result<std::unique_ptr<MadTransport>> open_umad(const LocalPort& port) {
    errno = 0;
    const int fd = umad_open_port(port.via.ca.c_str(), static_cast<int>(port.via.port));
    // It says so when ib_umad's version could not be read, which it tries once in a process: later errno is
    // 0.
    if (fd == -EOPNOTSUPP) return std::unexpected(open_error(ENOENT, port));
    // libibumad returns EIO for whatever open(2) says; errno still has it.
    if (fd < 0) return std::unexpected(open_error(errno ? errno : -fd, port));
    auto transport = std::make_unique<UmadTransport>(fd, port.default_pkey_index);
    // libibumad opens without O_CLOEXEC, and callers fork. The descriptor of umad2sim is none of the
    // kernel's: there this fails and does not matter.
    if (const int flags = fcntl(fd, F_GETFD); flags >= 0) fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
    if (auto registered = transport->register_agents(); !registered)
        return std::unexpected(registered.error());
    return transport;
}

}  // namespace pve_rdma
