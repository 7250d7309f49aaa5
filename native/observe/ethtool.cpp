#include "observe/ethtool.h"

#include <algorithm>
#include <cerrno>

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>

#include "observe/ethtool_driver.h"
#include "observe/ethtool_kinds.h"
#include "observe/ethtool_module.h"
#include "observe/rtnetlink.h"

namespace pve_rdma {

namespace {

// Every message of ethtool has its header (ETHTOOL_A_HEADER_*) as attribute 1.
constexpr std::uint16_t header_attribute = 1;

std::uint32_t ifindex_of(Octets attributes) {
    const auto header = find_attribute(attributes, header_attribute);
    if (!header) return 0;
    const auto index = find_attribute(*header, ETHTOOL_A_HEADER_DEV_INDEX);
    return index ? static_cast<std::uint32_t>(payload_number(*index).value_or(0)) : 0;
}

bool is_guest_end(const Link& link) {
    return link.info_kind == "tun" || link.info_kind == "veth";
}

bool is_hardware(const Link& link) {
    return link.parentbus.has_value();
}

NetlinkRequest dump_request(const GenericFamily& family, const EthtoolKind& kind) {
    NetlinkRequest request = generic_request(family, kind.command, NLM_F_DUMP);
    request.nested(header_attribute, [&](NetlinkRequest& header) {
        if (kind.compact) header.number(ETHTOOL_A_HEADER_FLAGS, ETHTOOL_FLAG_COMPACT_BITSETS);
    });
    return request;
}

// links must be sorted by ifindex (read_rtnetlink leaves them so).
Link* find_sorted(std::vector<Link>& links, std::uint32_t ifindex) {
    const auto found = std::ranges::lower_bound(links, ifindex, {}, &Link::ifindex);
    return found != links.end() && found->ifindex == ifindex ? &*found : nullptr;
}

void read_modules(NetlinkTransport& transport, const GenericFamily& family, NodeReport& report,
                  const EthtoolOptions& options, Source& source) {
    for (auto& link : report.links) {
        if (link.parentbus != "pci" || !link.ethernet) continue;
        const auto module = read_module(transport, family, link.ifindex, options.serial_numbers);
        if (module)
            link.ethernet->module = *module;
        else if (const int failed = module.error().errno_value; failed == EPERM || failed == EACCES) {
            Error error = module.error();
            error.subject = "MODULE_EEPROM_GET " + link.ifname;
            source.unread.push_back(Unread::from(error));
        }
        // Any other refusal: no module, or a driver that cannot read it.
    }
}

}  // namespace

Source read_ethtool(NetlinkTransport& transport, NodeReport& report, const EthtoolOptions& options) {
    const auto family = find_family(transport, "ethtool");
    if (!family) return Source::failed(family.error());
    const auto names = StringSets::read(transport, *family);
    if (!names) return Source::failed(names.error());

    if (!std::ranges::is_sorted(report.links, {}, &Link::ifindex))
        std::ranges::sort(report.links, {}, &Link::ifindex);
    const bool any_hardware = std::ranges::any_of(report.links, is_hardware);
    std::vector<NetlinkDump> dumps;
    for (const auto& kind : ethtool_kinds()) {
        if ((kind.hardware_only && !any_hardware) || (options.settings_only && !kind.settable)) continue;
        NetlinkDump dump{.what = kind.what, .request = dump_request(*family, kind)};
        dump.message = [&report, &kind, &names](const NetlinkMessage& message) {
            const Octets attributes = generic_attributes(message);
            Link* link = find_sorted(report.links, ifindex_of(attributes));
            if (!link || (kind.command == ETHTOOL_MSG_FEATURES_GET && is_guest_end(*link))) return;
            if (!link->ethernet) link->ethernet.emplace();
            kind.take(attributes, *names, *link->ethernet);
        };
        dumps.push_back(std::move(dump));
    }
    Source source;
    for (const auto& failure : run_dumps(transport, dumps))
        // An older kernel lacks some kinds; a link that lacks one is passed over by the kernel.
        if (failure.error.errno_value != EOPNOTSUPP) source.unread.push_back(Unread::from(failure.error));
    if (!options.settings_only) read_modules(transport, *family, report, options, source);
    return source;
}

void observe_ethtool(const Machine& machine, NodeReport& report, const EthtoolOptions& options) {
    auto& source = report.sources["ethtool"];
    if (!machine.live()) {
        source = recorded_source();
        return;
    }
    const auto transport = open_netlink(NETLINK_GENERIC, "ethtool");
    if (!transport) {
        source = Source::failed(transport.error());
        return;
    }
    source = read_ethtool(**transport, report, options);
    std::ranges::move(read_drivers(report.links), std::back_inserter(source.unread));
}

}  // namespace pve_rdma
