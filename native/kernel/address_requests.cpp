#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "facts/setting_words.h"
#include "kernel/requests.h"
#include "observe/link_words.h"

namespace pve_rdma {

namespace {

constexpr std::uint16_t ifa_protocol = 11;  // IFA_PROTO, since Linux 5.18

}  // namespace

NetlinkRequest address_request(ObjectChange change, std::uint32_t index, const AddressEntry& address,
                               const LifeTimes& life) {
    const auto octets = [](const IpAddress& one) { return std::as_bytes(one.bytes()); };
    const std::uint32_t flags = (address.noprefixroute ? std::uint32_t{IFA_F_NOPREFIXROUTE} : 0) |
                                (address.nodad ? std::uint32_t{IFA_F_NODAD} : 0);
    ifaddrmsg header{};
    header.ifa_family = address.local.is_v6() ? AF_INET6 : AF_INET;
    header.ifa_prefixlen = address.length;
    header.ifa_scope = scope_number(address.scope).value_or(RT_SCOPE_UNIVERSE);
    header.ifa_index = index;
    NetlinkRequest request(change == ObjectChange::remove ? RTM_DELADDR : RTM_NEWADDR,
                           static_cast<std::uint16_t>(change == ObjectChange::add ? NLM_F_CREATE | NLM_F_EXCL
                                                      : change == ObjectChange::replace ? NLM_F_REPLACE
                                                                                        : 0));
    request.header(header)
        .octets(IFA_LOCAL, octets(address.local))
        .octets(IFA_ADDRESS, octets(address.peer.value_or(address.local)));
    if (address.label) request.text(IFA_LABEL, *address.label);
    if (change == ObjectChange::remove) return request;
    if (address.broadcast) request.octets(IFA_BROADCAST, octets(*address.broadcast));
    if (flags) request.number(IFA_FLAGS, flags);
    // To IPv6 no metric means: as it is.
    const bool back_to_default = change == ObjectChange::replace && address.local.is_v6() && !address.metric;
    if (address.metric || back_to_default)
        request.number(IFA_RT_PRIORITY, back_to_default ? 256 : address.metric);
    if (address.protocol) {
        if (const auto protocol = number_of_word(address_protocol_words, *address.protocol))
            request.octet(ifa_protocol, static_cast<std::uint8_t>(*protocol));
    }
    if (life.valid != UINT32_MAX)
        request.bytes_of(
            IFA_CACHEINFO,
            ifa_cacheinfo{.ifa_prefered = life.preferred, .ifa_valid = life.valid, .cstamp = 0, .tstamp = 0});
    return request;
}

}  // namespace pve_rdma
