// What the model of a kernel (fake_kernel.h) knows, and how each kind of object changes it. Each function is
// one message to the kernel: it does all of it or nothing, and refuses with the kernel's errno and words.
#pragma once

#include <map>
#include <set>

#include "network/network.h"

namespace pve_rdma {

// What bounds the MTU of an IPoIB port and its children: datagram mode 4 octets less than the smaller one,
// connected mode (not of enhanced IPoIB) 65520.
struct IpoibLimits {
    std::uint32_t link = 4096;   // the port's InfiniBand MTU
    std::uint32_t group = 2048;  // the MTU of the partition's broadcast group
    bool enhanced = false;       // mlx5 of ConnectX-4 and later: datagram mode only
};

inline constexpr std::uint32_t smallest_ipv6_mtu = 1280;

struct FakeState {
    Network network{};
    std::map<std::string, IpoibLimits> ipoib{};              // by port
    std::set<std::string> mtu_is_set{};                      // bridges whose MTU somebody set
    std::map<std::string, std::uint32_t> mtu_before_bond{};  // by port
    std::uint32_t last_ifindex = 0;
};

std::unexpected<Error> kernel_refuses(int errno_value, const std::string& subject, std::string words);

Result<void> make_link(FakeState&, const LinkEntry&);
Result<void> delete_link(FakeState&, const std::string& name);
Result<void> change_setting(FakeState&, const SettingEntry&);
Result<void> set_mtu(FakeState&, Link&, std::uint32_t mtu);
Result<void> set_up(FakeState&, Link&, bool up);
Result<void> set_master(FakeState&, Link&, const std::string& master);

Result<void> add_address(FakeState&, const AddressEntry&);
Result<void> replace_address(FakeState&, const AddressEntry& before, const AddressEntry& after);
void delete_address(FakeState&, const AddressEntry&);
// All IPv6 of a link.
void leave_ipv6(FakeState&, const std::string& link);

Result<void> add_route(FakeState&, const RouteEntry&);
Result<void> replace_route(FakeState&, const RouteEntry& before, const RouteEntry& after);
void delete_route(FakeState&, const RouteEntry&);
// The routes that the kernel keeps for an address, which Network leaves out; none: there is none.
std::optional<RouteEntry> connected_route(const Network&, const AddressEntry&);

}  // namespace pve_rdma
