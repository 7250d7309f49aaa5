#include "eni/known_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "eni/document.h"

namespace pve_rdma::eni {

namespace {

// Sorted. From interfaces(5), the manual pages of ifenslave, bridge-utils, vlan, wpasupplicant and
// resolvconf, the modules of ifupdown2 3.0, Proxmox's reader, and our own ib-*.
// clang-format off: one name a line would be 300 lines
constexpr auto names = std::to_array<std::string_view>({
    "accept-ra", "accept-rd", "address", "address-metric", "address-purge", "address-virtual",
    "address-virtual-ipv6-addrgen", "alias", "arp-accept", "autoconf", "batman-distributed-arp-table",
    "batman-gw-mode", "batman-hop-penalty", "batman-ifaces", "batman-ifaces-ignore-regex",
    "batman-multicast-mode", "batman-routing-algo", "bitrate", "bond-active-slave",
    "bond-ad-actor-sys-prio", "bond-ad-actor-system", "bond-ad-select", "bond-ad-sys-mac-addr",
    "bond-ad-sys-priority", "bond-all-slaves-active", "bond-arp-interval", "bond-arp-ip-target",
    "bond-arp-validate", "bond-downdelay", "bond-fail-over-mac", "bond-give-a-chance", "bond-lacp-active",
    "bond-lacp-bypass-allow", "bond-lacp-rate", "bond-master", "bond-miimon", "bond-min-links",
    "bond-mode", "bond-num-grat-arp", "bond-num-unsol-na", "bond-packets-per-slave", "bond-ports",
    "bond-primary", "bond-primary-reselect", "bond-queue-id", "bond-resend-igmp", "bond-slaves",
    "bond-tlb-dynamic-lb", "bond-updelay", "bond-use-carrier", "bond-xmit-hash-policy", "bonding-mode",
    "bootfile", "bridge-access", "bridge-ageing", "bridge-ageingtime", "bridge-allow-untagged",
    "bridge-always-up", "bridge-arp-nd-suppress", "bridge-bridgeprio", "bridge-broadcast-flood",
    "bridge-disable-mac-learning", "bridge-disabled", "bridge-fd", "bridge-gcint", "bridge-hashel",
    "bridge-hashmax", "bridge-hello", "bridge-hw", "bridge-igmp-querier-src", "bridge-igmp-version",
    "bridge-l2protocol-tunnel", "bridge-learning", "bridge-maxage", "bridge-maxwait", "bridge-mclmc",
    "bridge-mclmi", "bridge-mcmi", "bridge-mcqi", "bridge-mcqifaddr", "bridge-mcqpi", "bridge-mcqri",
    "bridge-mcquerier", "bridge-mcqv4src", "bridge-mcrouter", "bridge-mcsnoop", "bridge-mcsqc",
    "bridge-mcsqi", "bridge-mcstats", "bridge-mld-version", "bridge-multicast-flood", "bridge-pathcost",
    "bridge-pathcosts", "bridge-port-pvids", "bridge-port-vids", "bridge-portmcfl", "bridge-portmcrouter",
    "bridge-portprio", "bridge-portprios", "bridge-ports", "bridge-ports-condone-regex", "bridge-pvid",
    "bridge-stp", "bridge-trunk", "bridge-unicast-flood", "bridge-vids", "bridge-vlan-aware",
    "bridge-vlan-protocol", "bridge-vlan-stats", "bridge-vlan-vni-map", "bridge-waitport", "broadcast",
    "clag-id", "clagd-args", "clagd-backup-ip", "clagd-enable", "clagd-peer-ip", "clagd-priority",
    "clagd-sys-mac", "clagd-vxlan-anycast-ip", "client", "client-id", "dad-attempts", "dad-interval",
    "description", "dhcp", "dns-domain", "dns-nameserver", "dns-nameservers", "dns-options", "dns-search",
    "dns-sortlist", "down", "dstaddr", "endpoint", "es-sys-mac", "ethtool-autoneg", "ethtool-duplex",
    "ethtool-speed", "gateway", "gro-offload", "gso-offload", "hardware-irq-coalesce-adaptive-rx",
    "hostname", "hwaddr", "hwaddress", "ib-mode", "ib-parent", "ib-pkey", "inherit", "inherits",
    "ip-forward", "ip-rule", "ip6-forward", "ipv6-addrgen", "leasehours", "leasetime", "link-autoneg",
    "link-down", "link-duplex", "link-fec", "link-speed", "link-type", "ll-attempts", "ll-interval",
    "local", "lro-offload", "map", "metric", "mode", "mpls-enable", "mstpctl-ageing", "mstpctl-bpduguard",
    "mstpctl-fdelay", "mstpctl-forcevers", "mstpctl-hello", "mstpctl-maxage", "mstpctl-maxhops",
    "mstpctl-portadminedge", "mstpctl-portautoedge", "mstpctl-portbpdufilter", "mstpctl-portnetwork",
    "mstpctl-portp2p", "mstpctl-portpathcost", "mstpctl-portrestrrole", "mstpctl-portrestrtcn",
    "mstpctl-ports", "mstpctl-stp", "mstpctl-treeportcost", "mstpctl-treeportprio", "mstpctl-treeprio",
    "mstpctl-txholdcount", "mtu", "multicast-querier", "netmask", "netnum", "network", "offload-gro",
    "offload-gso", "offload-lro", "offload-rx", "offload-sg", "offload-tso", "offload-tx", "offload-ufo",
    "ovs-bonds", "ovs-bridge", "ovs-extra", "ovs-mtu", "ovs-options", "ovs-patch-peer", "ovs-ports",
    "ovs-ports-condone-regex", "ovs-tunnel-options", "ovs-tunnel-type", "ovs-type", "pointopoint",
    "post-boot", "post-down", "post-up", "ppp-physdev", "pre-down", "pre-up", "preferred-lifetime",
    "privext", "provider", "rdma-metric", "rdma-route", "rdma-rule", "request-prefix", "requires", "route", "rule", "rx-offload", "scope", "script",
    "server", "slaves", "sriov-numvfs", "stateless", "subnet", "tso-offload", "ttl", "tunnel-dev", "tunnel-endpoint",
    "tunnel-local", "tunnel-mode", "tunnel-physdev", "tunnel-ttl", "tx-offload", "ufo-offload", "unit",
    "up", "uplink-id", "use", "vendor", "veth-peer-name", "vlan-id", "vlan-protocol", "vlan-raw-device",
    "vrf", "vrf-table", "vrrp", "vrrp-id", "vrrp-priority", "vrrp-virtual-ip", "vxlan-ageing", "vxlan-id",
    "vxlan-learning", "vxlan-local-tunnelip", "vxlan-mcastgrp", "vxlan-mcastgrp-map", "vxlan-mcastgrp6",
    "vxlan-physdev", "vxlan-port", "vxlan-purge-remotes", "vxlan-remoteip", "vxlan-svcnodeip",
    "vxlan-svcnodeip6", "vxlan-ttl", "wireless-channel", "wireless-essid", "wireless-key", "wireless-mode",
    "wpa-conf", "wpa-driver", "wpa-identity", "wpa-key-mgmt", "wpa-passphrase", "wpa-password", "wpa-psk",
    "wpa-roam", "wpa-ssid", "xfrm-id", "xfrm-physdev"});
// clang-format on

constexpr auto keywords = std::to_array<std::string_view>(
    {"auto", "iface", "allow-hotplug", "allow-auto", "allow-ovs", "source", "source-directory", "mapping"});

// How many letters to change, drop, add or swap; more than `most` is not counted further.
int distance(std::string_view left, std::string_view right, int most) {
    const int too_far = most + 1;
    const auto difference = static_cast<int>(left.size()) - static_cast<int>(right.size());
    if (difference > most || -difference > most) return too_far;
    std::vector<int> before(right.size() + 1), last(right.size() + 1), now(right.size() + 1);
    for (std::size_t column = 0; column <= right.size(); ++column)
        last[column] = static_cast<int>(column);
    for (std::size_t row = 1; row <= left.size(); ++row) {
        now[0] = static_cast<int>(row);
        for (std::size_t column = 1; column <= right.size(); ++column) {
            const int other = left[row - 1] == right[column - 1] ? 0 : 1;
            now[column] = std::min({last[column] + 1, now[column - 1] + 1, last[column - 1] + other});
            if (row > 1 && column > 1 && left[row - 1] == right[column - 2] &&
                left[row - 2] == right[column - 1])
                now[column] = std::min(now[column], before[column - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, now);
    }
    return std::min(last[right.size()], too_far);
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

}  // namespace

bool known_option(std::string_view name) {
    return std::ranges::binary_search(names, std::string_view(canonical(name)));
}

std::optional<std::string> probably_meant(std::string_view name) {
    constexpr std::size_t longest = 40;
    if (name.size() < 3 || name.size() > longest || name.starts_with('%')) return std::nullopt;
    const std::string wanted = lower(canonical(name));
    const int most = wanted.size() >= 6 ? 2 : 1;
    int nearest = most + 1;
    std::string_view found;
    const auto look = [&](std::string_view known) {
        const int far = distance(wanted, known, most);
        if (far < nearest) nearest = far, found = known;
    };
    std::ranges::for_each(names, look);
    std::ranges::for_each(keywords, look);
    return nearest <= most ? std::optional<std::string>(found) : std::nullopt;
}

bool secret_option(std::string_view name) {
    const std::string wanted = lower(canonical(name));
    if (wanted == "wpa-key-mgmt") return false;
    for (const std::string_view part : {"psk", "passw", "passphrase", "secret", "pin", "token"})
        for (auto at = wanted.find(part); at != std::string::npos; at = wanted.find(part, at + 1))
            if (at == 0 || wanted[at - 1] == '-' || part != "pin") return true;
    return wanted.ends_with("-key") || wanted == "key" || wanted.ends_with("-key1") ||
           wanted.contains("wep-key") || wanted.contains("private-key");
}

}  // namespace pve_rdma::eni
