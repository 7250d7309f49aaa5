// MTUs of partitions against what the fabric and this node's own interfaces carry.
#include <algorithm>

#include <fmt/format.h>

#include "base/pkey.h"
#include "facts/fabric_walk.h"
#include "plan/refuse_parts.h"

namespace pve_rdma {

namespace {

constexpr std::uint32_t ipoib_header = 4;

// The first port with a link that cannot carry so much, in words.
std::optional<std::string> too_small(const FabricWalk& walk, std::uint32_t mtu) {
    for (const auto& node : walk.nodes)
        for (const auto& port : node.ports) {
            const bool counts = port.phys_state == "LINK_UP" && !(node.type == "SWITCH" && port.number == 0);
            if (counts && port.mtu_cap && port.mtu_cap < mtu)
                return fmt::format("{} port {} carries {}",
                                   node.description.empty() ? node.guid.text() : node.description,
                                   port.number, port.mtu_cap);
        }
    return std::nullopt;
}

// IPoIB interfaces whose partition this is. The parent of all has the default one.
bool is_in(const Link& link, std::uint16_t key) {
    if (link.info_kind != "ipoib" || !link.ipoib) return false;
    const auto own = PKey::parse(link.ipoib->key.value_or("0xffff"));
    return own && own->partition() == key;
}

}  // namespace

Refusals refuse_partitions(const Safety& safety) {
    Refusals errors;
    if (!safety.desired.subnet_manager) return errors;
    for (const auto& partition : safety.desired.subnet_manager->partitions) {
        if (!partition.mtu || absent(partition.state)) continue;
        for (const auto& walk : safety.report.fabric)
            if (const auto port = too_small(walk, *partition.mtu))
                errors.push_back(
                    no(partition.name,
                       fmt::format("MTU {} is more than the fabric carries ({}): what is behind it "
                                   "could not join IPoIB any more",
                                   *partition.mtu, *port),
                       "the MTU that every port carries; or replace what cannot carry more"));
        for (const auto& link : safety.target.links)
            if (is_in(link, partition.key()) && link.ipoib->mode == "datagram" &&
                link.mtu.value_or(0) > *partition.mtu - ipoib_header)
                errors.push_back(no(
                    link.ifname,
                    fmt::format("its MTU of {} is more than partition {} would carry ({}): the kernel would "
                                "lower it without a word",
                                *link.mtu, partition.name, *partition.mtu - ipoib_header),
                    fmt::format("\"mtu\": {} for {} in the same document", *partition.mtu - ipoib_header,
                                link.ifname)));
    }
    return errors;
}

void subnet_manager_cautions(const Safety& safety, std::vector<std::string>& words) {
    if (!safety.desired.subnet_manager) return;
    const auto& manager = *safety.desired.subnet_manager;
    const bool mtus =
        std::ranges::any_of(manager.partitions, [](const auto& one) { return one.mtu.has_value(); });
    const auto own = safety.report.port_guids();
    if (mtus && safety.report.fabric.empty())
        words.push_back(
            "the fabric could not be walked: whether every port carries the partitions' MTU is not known");
    for (const auto& walk : safety.report.fabric) {
        if (mtus && (!walk.complete || !walk.errors.empty()))
            words.push_back(
                "parts of the fabric did not answer: whether they carry the partitions' MTU is not known");
        for (const auto& sm : walk.sms) {
            if (own.contains(sm.guid)) continue;
            if (manager.priority && sm.priority >= *manager.priority)
                words.push_back(
                    fmt::format("another subnet manager ({}) has priority {}: with {} this one will "
                                "not surely be the master",
                                sm.guid.text(), sm.priority, *manager.priority));
            if (mtus)
                words.push_back(fmt::format(
                    "the subnet manager {} keeps partitions of its own: give it the same file, for it "
                    "may become the master",
                    sm.guid.text()));
        }
    }
}

}  // namespace pve_rdma
