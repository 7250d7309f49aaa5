#include <linux/if_addr.h>
#include <sys/socket.h>

#include <fmt/format.h>

#include "facts/setting_words.h"
#include "observe/link_words.h"
#include "observe/netlink_table.h"
#include "observe/route_decode.h"

namespace pve_rdma {

namespace {

bool life_times(Octets payload, Address& address) {
    const auto info = payload_as<ifa_cacheinfo>(payload);
    if (!info) return false;
    address.valid_life_time = info->ifa_valid;
    address.preferred_life_time = info->ifa_prefered;
    return true;
}

constexpr std::uint16_t ifa_protocol = 11;  // IFA_PROTO, since Linux 5.18

constexpr AttributeTable<Address, IFA_MAX + 2> address_table{
    {IFA_LOCAL, ip<&Address::local>},
    {IFA_ADDRESS, ip<&Address::address>},
    {IFA_RT_PRIORITY, number<&Address::metric>},
    {IFA_BROADCAST, ip<&Address::broadcast>},
    {IFA_ANYCAST, ip<&Address::anycast>},
    {IFA_MULTICAST, ip<&Address::multicast>},
    {ifa_protocol, named<&Address::protocol, address_protocol_words>},
    {IFA_LABEL, text<&Address::label>},
    {IFA_CACHEINFO, life_times},
};

struct FlagRule {
    std::uint32_t bit;
    std::optional<bool> Address::* member;
};

constexpr FlagRule flag_rules[]{
    {IFA_F_NODAD, &Address::nodad},
    {IFA_F_OPTIMISTIC, &Address::optimistic},
    {IFA_F_DADFAILED, &Address::dadfailed},
    {IFA_F_HOMEADDRESS, &Address::home},
    {IFA_F_DEPRECATED, &Address::deprecated},
    {IFA_F_TENTATIVE, &Address::tentative},
    {IFA_F_MANAGETEMPADDR, &Address::mngtmpaddr},
    {IFA_F_NOPREFIXROUTE, &Address::noprefixroute},
    {IFA_F_MCAUTOJOIN, &Address::autojoin},
    {IFA_F_STABLE_PRIVACY, &Address::stable_privacy},
};

void set_flags(std::uint32_t flags, Address& address, bool v6) {
    // One bit, two meanings (linux/if_addr.h).
    if (flags & IFA_F_SECONDARY) (v6 ? address.temporary : address.secondary) = true;
    if (!(flags & IFA_F_PERMANENT)) address.dynamic = true;
    flags &= ~std::uint32_t{IFA_F_SECONDARY | IFA_F_PERMANENT};
    for (const auto& rule : flag_rules)
        if (flags & rule.bit) {
            address.*rule.member = true;
            flags &= ~rule.bit;
        }
    if (flags) address.ifa_flags = fmt::format("{:02x}", flags);
}

}  // namespace

Malformed decode_address(const NetlinkMessage& message, Address& address) {
    const auto header = message.start<ifaddrmsg>();
    const Octets attributes = message.behind(sizeof header);
    const bool v6 = header.ifa_family == AF_INET6;
    address.ifindex = header.ifa_index;
    address.family = family_word(v6);
    address.prefixlen = header.ifa_prefixlen;
    address.scope = scope_word(header.ifa_scope);
    const Malformed bad = address_table.decode(attributes, address);

    // Without a peer, IPv6 sends IFA_ADDRESS only and IPv4 both, the same.
    if (!address.local) address.local = address.address;
    if (address.local == address.address) address.address.reset();
    std::uint32_t flags = header.ifa_flags;
    if (const auto wide = find_attribute(attributes, IFA_FLAGS))
        if (const auto value = payload_as<std::uint32_t>(*wide)) flags = *value;
    set_flags(flags, address, v6);
    return bad;
}

}  // namespace pve_rdma
