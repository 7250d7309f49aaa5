// Links from /sys/class/net, for trees where no netlink can be asked: the fields and words of rtnetlink.
#include <algorithm>
#include <cctype>

#include <linux/if.h>

#include "base/number.h"
#include "observe/link_words.h"
#include "observe/sysfs_device.h"

namespace pve_rdma::sysfs {

namespace {

constexpr std::uint64_t arphrd_infiniband = 32;

std::string capitals(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

// "active-backup 1" -> active-backup.
std::string first_word(const std::string& text) {
    return text.substr(0, text.find(' '));
}

// As rtnetlink gives it: the kernel adds what sysfs leaves out of `flags`.
std::vector<std::string> flags_of(SysfsReader& folder, std::optional<bool> carrier) {
    const auto flags = folder.number("flags", UINT32_MAX);
    if (!flags) return {};
    const bool up = (*flags & IFF_UP) && carrier.value_or(false);
    return link_flag_words(static_cast<std::uint32_t>(*flags) | (up ? IFF_RUNNING | IFF_LOWER_UP : 0u));
}

void read_ethernet(SysfsReader& folder, Link& link) {
    Ethernet ethernet;
    if (const auto text = folder.text("speed"); text && !text->starts_with('-')) {  // -1: not known
        ethernet.speed = parse_number<std::uint32_t>(*text);
        if (!ethernet.speed) folder.note_value("speed", *text, "a speed in Mb/s");
        if (ethernet.speed == UINT32_MAX) ethernet.speed.reset();
    }
    if (const auto text = folder.text("duplex"); text && *text != "unknown")
        ethernet.duplex = capitals(text->substr(0, 1)) + text->substr(1);
    if (ethernet != Ethernet{}) link.ethernet = std::move(ethernet);
}

void read_ipoib(SysfsReader& folder, Link& link) {
    Ipoib ipoib;
    ipoib.mode = folder.text("mode");
    ipoib.key = folder.text("pkey");
    if (const auto umcast = folder.number("umcast", 0xffff)) ipoib.umcast = *umcast ? "0001" : "0000";
    if (ipoib == Ipoib{}) return;
    link.info_kind = "ipoib";
    link.ipoib = std::move(ipoib);
    if (const auto parent = folder.text("parent")) link.link = *parent;
}

void read_bond(SysfsReader& folder, Link& link) {
    Bond bond;
    const auto word = [&](const char* name) -> std::optional<std::string> {
        const auto text = folder.text(name);
        if (!text) return std::nullopt;
        return first_word(*text);
    };
    bond.mode = word("bonding/mode");
    bond.active_slave = word("bonding/active_slave");
    bond.primary = word("bonding/primary");
    bond.primary_reselect = word("bonding/primary_reselect");
    bond.fail_over_mac = word("bonding/fail_over_mac");
    bond.xmit_hash_policy = word("bonding/xmit_hash_policy");
    bond.ad_lacp_rate = word("bonding/lacp_rate");
    folder.fill(bond.miimon, "bonding/miimon");
    folder.fill(bond.updelay, "bonding/updelay");
    folder.fill(bond.downdelay, "bonding/downdelay");
    folder.fill(bond.min_links, "bonding/min_links");
    link.info_kind = "bond";
    link.bond = std::move(bond);
}

void read_bridge(SysfsReader& folder, Link& link) {
    Bridge bridge;
    folder.fill(bridge.stp_state, "bridge/stp_state");
    folder.fill(bridge.forward_delay, "bridge/forward_delay");
    folder.fill(bridge.ageing_time, "bridge/ageing_time");
    folder.fill(bridge.vlan_filtering, "bridge/vlan_filtering");
    link.info_kind = "bridge";
    link.bridge = std::move(bridge);
}

// "DEVTYPE=vlan" in uevent; the id stands in /proc/net/vlan/NAME: "eth0.100  VID: 100 ...".
void read_vlan(SysfsReader& folder, Link& link) {
    Vlan vlan;
    if (const auto text = folder.machine().text("/proc/net/vlan/" + link.ifname)) {
        constexpr std::string_view mark = "VID: ";
        if (const auto at = text->find(mark); at != std::string::npos) {
            const auto rest = std::string_view(*text).substr(at + mark.size());
            vlan.id = parse_number<std::uint32_t>(rest.substr(0, rest.find_first_of(" \t\n")));
        }
    }
    link.info_kind = "vlan";
    link.vlan = std::move(vlan);
}

void read_kind(SysfsReader& folder, bool infiniband, Link& link) {
    const auto entries = folder.list("");
    const auto has = [&](std::string_view name) { return std::ranges::find(entries, name) != entries.end(); };
    if (infiniband) read_ipoib(folder, link);
    if (has("bonding")) read_bond(folder, link);
    if (has("bridge")) read_bridge(folder, link);
    const auto uevent = has("uevent") ? folder.text("uevent") : std::nullopt;
    if (!link.info_kind && uevent && uevent->find("DEVTYPE=vlan") != std::string::npos)
        read_vlan(folder, link);
    if (has("bonding_slave")) link.info_slave_kind = "bond";
    if (has("brport")) link.info_slave_kind = "bridge";
    if (has("master")) link.master = folder.link_name("master");
    if (!has("device")) return;
    if (const auto target = folder.machine().link(folder.folder()))
        if (auto address = pci_address_in(*target)) {
            link.parentbus = "pci";
            link.parentdev = std::move(*address);
        }
}

std::optional<Link> read_link(SysfsReader folder, const std::string& name) {
    const auto ifindex = folder.number("ifindex", INT32_MAX);
    if (!ifindex) return std::nullopt;  // bonding_masters is a file among the folders
    Link link{};
    link.ifindex = static_cast<std::uint32_t>(*ifindex);
    link.ifname = name;
    folder.fill(link.mtu, "mtu");
    const auto type = folder.number("type", UINT16_MAX);
    if (type) link.link_type = link_type_word(static_cast<std::uint16_t>(*type));
    if (const auto text = folder.text("address")) {
        if (auto address = HardwareAddress::parse(*text))
            link.address = *address;
        else
            folder.note_value("address", *text, "a link-layer address");
    }
    if (auto text = folder.text("operstate")) link.operstate = capitals(std::move(*text));
    // A link that is down answers EINVAL: it has no carrier to tell of.
    if (const auto text = folder.machine().text(folder.folder() + "/carrier"); text && !text->empty())
        link.carrier = *text == "1";
    link.flags = flags_of(folder, link.carrier);
    folder.fill(link.carrier_changes, "carrier_changes");
    folder.fill(link.txqlen, "tx_queue_len");
    folder.fill(link.ifalias, "ifalias");
    if (const auto below = folder.number("iflink", INT32_MAX); below && *below != *ifindex)
        link.link_index = static_cast<std::uint32_t>(*below);
    read_kind(folder, type == arphrd_infiniband, link);
    if (type == 1) read_ethernet(folder, link);
    return link;
}

// Old kernels have no `master` link; the bond's list has the names.
void read_masters(const Machine& machine, Source& source, NodeReport& report) {
    for (const auto& bond : report.links) {
        if (bond.info_kind != "bond") continue;
        SysfsReader folder(machine, source, "/sys/class/net/" + bond.ifname);
        const auto ports = folder.text("bonding/slaves");
        for (auto& link : report.links)
            if (ports && !link.master &&
                (" " + *ports + " ").find(" " + link.ifname + " ") != std::string::npos)
                link.master = bond.ifname;
    }
}

}  // namespace

void read_links(const Machine& machine, Source& source, NodeReport& report) {
    SysfsReader folder(machine, source, "/sys/class/net");
    for (const auto& name : folder.list(""))
        if (auto link = read_link(folder.object(name), name)) report.links.push_back(std::move(*link));
    for (auto& link : report.links)
        if (link.link_index && !link.link)
            if (const Link* below = report.find_link(*link.link_index)) link.link = below->ifname;
    read_masters(machine, source, report);
    std::ranges::sort(report.links, {}, &Link::ifindex);
}

}  // namespace pve_rdma::sysfs
