// RDMA over Ethernet: the GID that connections use, and losses.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

constexpr Limit losses{"packets sent again", 1, "a second", "a lossless network shows none"};

// ::ffff:a.b.c.d
bool is_ipv4(const Gid& gid) {
    return std::ranges::all_of(gid.octets.begin(), gid.octets.begin() + 10,
                               [](auto octet) { return octet == 0; }) &&
           gid.octets[10] == 0xff && gid.octets[11] == 0xff;
}

std::string shown(const Gid& gid) {
    if (!is_ipv4(gid)) return gid.text();
    return fmt::format("::ffff:{}.{}.{}.{}", gid.octets[12], gid.octets[13], gid.octets[14], gid.octets[15]);
}

void which_gid(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_ethernet(ref) || ref.port.state != "ACTIVE" || ref.port.gids.empty()) continue;
        const auto& gids = ref.port.gids;
        if (std::ranges::none_of(gids, [](const GidEntry& entry) { return entry.type.has_value(); }))
            continue;
        const auto v2 = [](const GidEntry& entry) { return entry.type == "RoCE v2"; };
        if (std::ranges::none_of(gids, v2)) {
            // ConnectX-3 without Pro has version 1 only; it is no fault then, but it stays in one subnet.
            const bool cannot = ref.device.driver == "mlx4_core";
            out.add(ref.name(),
                    "The port has no RoCE v2 address: RDMA does not leave its own Ethernet segment.")
                .because(node.at(ref, "gids/0/type"), gids.front().type)
                .as(cannot ? Severity::info : Severity::error);
            continue;
        }
        const auto best = std::ranges::find_if(
            gids, [&](const GidEntry& entry) { return v2(entry) && is_ipv4(entry.gid); });
        if (best == gids.end() || best->index == 0) continue;
        out.add(ref.name(), fmt::format("GID index {} ({}, RoCE v2) is the one for programs that ask for an "
                                        "index; index {} is {} {}.",
                                        best->index, shown(best->gid), gids.front().index,
                                        shown(gids.front().gid), gids.front().type.value_or("")))
            .because(node.at(ref, fmt::format("gids/{}/type", best - gids.begin())), best->type)
            .because(node.at(ref, "gids/0/type"), gids.front().type)
            .as(Severity::info)
            .do_this(fmt::format("Tell programs that take a GID index: {}.", best->index));
    }
}

std::optional<std::uint64_t> grown(const Node& node, const PortRef& ref, const std::string& name) {
    const auto now = ref.port.hw_counters.find(name);
    const Port* const port = node.earlier->find_port(ref.device.name, ref.port.number);
    if (now == ref.port.hw_counters.end() || !port) return std::nullopt;
    const auto then = port->hw_counters.find(name);
    if (then == port->hw_counters.end() || now->second < then->second) return std::nullopt;
    return now->second - then->second;
}

void lossy(const Node& node, Findings& out) {
    const auto seconds = node.seconds_since_earlier();
    if (!seconds) return;
    for (const auto& ref : node.ports) {
        if (!is_ethernet(ref)) continue;
        for (const char* name : {"out_of_sequence", "packet_seq_err", "local_ack_timeout_err"}) {
            const auto by = grown(node, ref, name);
            if (!by || static_cast<double>(*by) / *seconds < losses.value) continue;
            const auto marks = ref.port.hw_counters.find("np_ecn_marked_roce_packets");
            auto& finding =
                out.add(ref.name(),
                        fmt::format("{} grew by {} in {:.0f} s: packets of RDMA are lost on the way.", name,
                                    *by, *seconds))
                    .because(node.at(ref, fmt::format("hw_counters/{}", name)),
                             ref.port.hw_counters.at(name));
            if (marks != ref.port.hw_counters.end() && marks->second == 0) {
                finding.message += " No packet has carried a congestion mark (ECN): the switch marks none.";
                finding.because(node.at(ref, "hw_counters/np_ecn_marked_roce_packets"), marks->second);
            }
            break;  // one finding for a port: the others follow from the same loss
        }
    }
}

void receiver_without_buffers(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        const auto here = grown(node, ref, "out_of_buffer"), there = grown(node, ref, "rnr_nak_retry_err");
        if (here && *here > 0)
            out.add(ref.name(), fmt::format("out_of_buffer grew by {}: a program here posts too few receive "
                                            "buffers. It is no congestion.",
                                            *here))
                .because(node.at(ref, "hw_counters/out_of_buffer"), ref.port.hw_counters.at("out_of_buffer"));
        if (there && *there > 0)
            out.add(ref.name(), fmt::format("rnr_nak_retry_err grew by {}: a program at the other end posts "
                                            "too few receive buffers. It is no congestion.",
                                            *there))
                .because(node.at(ref, "hw_counters/rnr_nak_retry_err"),
                         ref.port.hw_counters.at("rnr_nak_retry_err"));
    }
}

}  // namespace

std::vector<Rule> roce_rules() {
    return {
        {.id = "ROCE-01",
         .severity = Severity::error,
         .title = "Which address RDMA connections use",
         .reads = "/devices/*/ports/*/gids",
         .condition = "an active port without any RoCE v2 entry (for information on mlx4); an IPv4 RoCE v2 "
                      "entry that is not at index 0: for information",
         .meaning = "Programs that take index 0 mostly get RoCE v1 on a link-local address, and fail across "
                    "subnets with retry exceeded.",
         .remedy = "Give the interface an IP address; tell the program the index that the finding names.",
         .sources = "ofiwg/libfabric issue 12673; Documentation/ABI/stable/sysfs-class-infiniband",
         .needs = {Part::devices},
         .applies = has_roce,
         .node = which_gid},
        {.id = "ROCE-02",
         .severity = Severity::warning,
         .title = "RDMA packets are lost",
         .reads = "/devices/*/ports/*/hw_counters, of two reports",
         .condition =
             "out_of_sequence, packet_seq_err or local_ack_timeout_err grow faster than the threshold",
         .meaning = "The network drops packets under load, and RDMA sends them again in whole windows.",
         .remedy = "Priority flow control on one priority, with ECN, on switch and cards; or the cards' "
                   "settings for lossy networks.",
         .sources = "mlx5 counters documentation; openucx/ucx issue 6000",
         .needs = {Part::devices, Part::earlier},
         .thresholds = {losses},
         .applies = has_roce,
         .node = lossy},
        {.id = "ROCE-03",
         .severity = Severity::warning,
         .title = "A receiver without buffers",
         .reads = "/devices/*/ports/*/hw_counters out_of_buffer, rnr_nak_retry_err, of two reports",
         .condition = "either grew",
         .meaning = "The program does not post receive buffers fast enough; the network is not to blame.",
         .remedy = "More or larger receive queues in the program.",
         .sources = "sonic-net/sonic-buildimage issue 21891",
         .needs = {Part::devices, Part::earlier},
         .applies = has_rdma,
         .node = receiver_without_buffers},
    };
}

}  // namespace pve_rdma::doctor
