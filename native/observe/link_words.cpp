#include "observe/link_words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/lwtunnel.h>
#include <linux/rtnetlink.h>

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

using Word = std::pair<std::uint32_t, std::string_view>;

template <std::size_t count>
std::string find_word(const std::array<Word, count>& words, std::uint32_t value) {
    for (const auto& [number, word] : words)
        if (number == value) return std::string(word);
    return std::to_string(value);
}

template <class Number, std::size_t count>
std::optional<Number> find_number(const std::array<Word, count>& words, std::string_view word) {
    for (const auto& [number, text] : words)
        if (text == word) return static_cast<Number>(number);
    return parse_number<Number>(word);
}

// Types of links that a server meets; the words are those of `ip link`.
constexpr auto link_types = std::to_array<Word>({{ARPHRD_ETHER, "ether"},
                                                 {ARPHRD_INFINIBAND, "infiniband"},
                                                 {ARPHRD_LOOPBACK, "loopback"},
                                                 {ARPHRD_NONE, "none"},
                                                 {ARPHRD_VOID, "void"},
                                                 {ARPHRD_TUNNEL, "ipip"},
                                                 {ARPHRD_TUNNEL6, "tunnel6"},
                                                 {ARPHRD_SIT, "sit"},
                                                 {ARPHRD_IPGRE, "gre"},
                                                 {ARPHRD_IP6GRE, "gre6"},
                                                 {ARPHRD_PPP, "ppp"},
                                                 {ARPHRD_CAN, "can"},
                                                 {ARPHRD_NETLINK, "netlink"},
                                                 {ARPHRD_IEEE80211, "ieee802.11"},
                                                 {ARPHRD_IEEE80211_RADIOTAP, "ieee802.11/radiotap"},
                                                 {ARPHRD_IEEE1394, "ieee1394"},
                                                 {ARPHRD_PIMREG, "pimreg"},
                                                 {ARPHRD_RAWHDLC, "rawhdlc"},
                                                 {ARPHRD_SLIP, "slip"},
                                                 {ARPHRD_PHONET, "phonet"},
                                                 {ARPHRD_IEEE802154, "ieee802.15.4"},
                                                 {ARPHRD_6LOWPAN, "6lowpan"}});

// In the order in which `ip` writes them. IFF_RUNNING is not among them: NO-CARRIER says its lack.
constexpr auto link_flags = std::to_array<Word>({{IFF_LOOPBACK, "LOOPBACK"},
                                                 {IFF_BROADCAST, "BROADCAST"},
                                                 {IFF_POINTOPOINT, "POINTOPOINT"},
                                                 {IFF_MULTICAST, "MULTICAST"},
                                                 {IFF_NOARP, "NOARP"},
                                                 {IFF_ALLMULTI, "ALLMULTI"},
                                                 {IFF_PROMISC, "PROMISC"},
                                                 {IFF_MASTER, "MASTER"},
                                                 {IFF_SLAVE, "SLAVE"},
                                                 {IFF_DEBUG, "DEBUG"},
                                                 {IFF_DYNAMIC, "DYNAMIC"},
                                                 {IFF_AUTOMEDIA, "AUTOMEDIA"},
                                                 {IFF_PORTSEL, "PORTSEL"},
                                                 {IFF_NOTRAILERS, "NOTRAILERS"},
                                                 {IFF_UP, "UP"},
                                                 {IFF_LOWER_UP, "LOWER_UP"},
                                                 {IFF_DORMANT, "DORMANT"},
                                                 {IFF_ECHO, "ECHO"}});

constexpr auto tables =
    std::to_array<Word>({{RT_TABLE_MAIN, "main"}, {RT_TABLE_LOCAL, "local"}, {RT_TABLE_DEFAULT, "default"}});

constexpr auto scopes = std::to_array<Word>({{RT_SCOPE_UNIVERSE, "global"},
                                             {RT_SCOPE_SITE, "site"},
                                             {RT_SCOPE_LINK, "link"},
                                             {RT_SCOPE_HOST, "host"},
                                             {RT_SCOPE_NOWHERE, "nowhere"}});

constexpr auto route_protocols = std::to_array<Word>({{RTPROT_KERNEL, "kernel"},
                                                      {RTPROT_BOOT, "boot"},
                                                      {RTPROT_STATIC, "static"},
                                                      {RTPROT_RA, "ra"},
                                                      {RTPROT_DHCP, "dhcp"},
                                                      {RTPROT_UNSPEC, "unspec"},
                                                      {RTPROT_REDIRECT, "redirect"},
                                                      {RTPROT_GATED, "gated"},
                                                      {RTPROT_MRT, "mrt"},
                                                      {RTPROT_ZEBRA, "zebra"},
                                                      {RTPROT_BIRD, "bird"},
                                                      {RTPROT_DNROUTED, "dnrouted"},
                                                      {RTPROT_XORP, "xorp"},
                                                      {RTPROT_NTK, "ntk"},
                                                      {RTPROT_KEEPALIVED, "keepalived"},
                                                      {RTPROT_BABEL, "babel"},
                                                      {RTPROT_OPENR, "openr"},
                                                      {RTPROT_BGP, "bgp"},
                                                      {RTPROT_ISIS, "isis"},
                                                      {RTPROT_OSPF, "ospf"},
                                                      {RTPROT_RIP, "rip"},
                                                      {RTPROT_EIGRP, "eigrp"}});

constexpr auto route_types = std::to_array<Word>({{RTN_UNICAST, "unicast"},
                                                  {RTN_LOCAL, "local"},
                                                  {RTN_BROADCAST, "broadcast"},
                                                  {RTN_ANYCAST, "anycast"},
                                                  {RTN_MULTICAST, "multicast"},
                                                  {RTN_BLACKHOLE, "blackhole"},
                                                  {RTN_UNREACHABLE, "unreachable"},
                                                  {RTN_PROHIBIT, "prohibit"},
                                                  {RTN_THROW, "throw"},
                                                  {RTN_NAT, "nat"},
                                                  {RTN_XRESOLVE, "xresolve"},
                                                  {RTN_UNSPEC, "none"}});

constexpr auto ip_protocols = std::to_array<Word>({{1, "icmp"},
                                                   {2, "igmp"},
                                                   {6, "tcp"},
                                                   {17, "udp"},
                                                   {33, "dccp"},
                                                   {47, "gre"},
                                                   {50, "esp"},
                                                   {51, "ah"},
                                                   {58, "ipv6-icmp"},
                                                   {89, "ospf"},
                                                   {112, "vrrp"},
                                                   {132, "sctp"}});

constexpr auto encaps = std::to_array<Word>({{LWTUNNEL_ENCAP_MPLS, "mpls"},
                                             {LWTUNNEL_ENCAP_IP, "ip"},
                                             {LWTUNNEL_ENCAP_ILA, "ila"},
                                             {LWTUNNEL_ENCAP_IP6, "ip6"},
                                             {LWTUNNEL_ENCAP_SEG6, "seg6"},
                                             {LWTUNNEL_ENCAP_BPF, "bpf"},
                                             {LWTUNNEL_ENCAP_SEG6_LOCAL, "seg6local"},
                                             {LWTUNNEL_ENCAP_RPL, "rpl"},
                                             {LWTUNNEL_ENCAP_IOAM6, "ioam6"},
                                             {LWTUNNEL_ENCAP_XFRM, "xfrm"}});

}  // namespace

std::string link_type_word(std::uint16_t type) {
    return find_word(link_types, type);
}

std::vector<std::string> link_flag_words(std::uint32_t flags) {
    std::vector<std::string> words;
    words.reserve(6);
    if ((flags & IFF_UP) && !(flags & IFF_RUNNING)) words.emplace_back("NO-CARRIER");
    flags &= ~static_cast<std::uint32_t>(IFF_RUNNING);
    for (const auto& [bit, word] : link_flags) {
        if (!(flags & bit)) continue;
        flags &= ~bit;
        words.emplace_back(word);
    }
    if (flags) words.push_back(fmt::format("{:x}", flags));
    return words;
}

std::string table_word(std::uint32_t table) {
    return find_word(tables, table);
}
std::string scope_word(std::uint8_t scope) {
    return find_word(scopes, scope);
}
std::string route_protocol_word(std::uint8_t protocol) {
    return find_word(route_protocols, protocol);
}
std::string route_type_word(std::uint8_t type) {
    return find_word(route_types, type);
}
std::optional<std::uint32_t> table_number(std::string_view word) {
    return find_number<std::uint32_t>(tables, word);
}
std::optional<std::uint8_t> scope_number(std::string_view word) {
    return find_number<std::uint8_t>(scopes, word);
}
std::optional<std::uint8_t> route_protocol_number(std::string_view word) {
    return find_number<std::uint8_t>(route_protocols, word);
}
std::optional<std::uint8_t> route_type_number(std::string_view word) {
    return find_number<std::uint8_t>(route_types, word);
}
std::string group_word(std::uint32_t group) {
    return group == 0 ? "default" : std::to_string(group);
}
std::string traffic_class_word(std::uint8_t tos) {
    return fmt::format("0x{:02x}", tos);
}
std::string ip_protocol_word(std::uint8_t protocol) {
    return find_word(ip_protocols, protocol);
}
std::string encap_word(std::uint16_t type) {
    return find_word(encaps, type);
}

}  // namespace pve_rdma
