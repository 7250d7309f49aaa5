// Several subnet managers: who is master, who takes over, and what a walk of the fabric tells of them.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/number.h"
#include "doctor/cluster.h"
#include "doctor/fabric_view.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/subnet.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

constexpr Limit long_gap{"time without a subnet manager", 30, "s",
                         "joins and address changes fail for as long"};

constexpr std::uint64_t default_polling_ms = 10'000, default_retries = 4;

std::string where(const FabricView& fabric, const SmInfo& sm) {
    const WalkNode* const owner = fabric.owner(sm.guid);
    return owner ? fabric.node_name(*owner) : fmt::format("LID {}", sm.lid);
}

std::vector<const SmInfo*> masters(const FabricView& fabric) {
    std::vector<const SmInfo*> found;
    for (const auto& sm : fabric.walk.sms)
        if (sm.state == "MASTER") found.push_back(&sm);
    return found;
}

void two_masters(const FabricView& fabric, Findings& out) {
    const auto all = masters(fabric);
    if (all.size() < 2) return;
    std::string names;
    for (const auto* sm : all)
        names +=
            fmt::format("{}{} (priority {})", names.empty() ? "" : ", ", where(fabric, *sm), sm->priority);
    auto& finding =
        out.add("subnet", fmt::format("{} subnet managers call themselves master: {}.", all.size(), names));
    for (const auto* sm : all)
        finding.because(fabric.at(*sm, "state"), sm->state);
}

// The nodes' own answers, where nobody has walked: two masters under one subnet prefix.
void two_masters_by_prefix(const Cluster& cluster, Findings& out) {
    struct Seen {
        const Node* node;
        std::string path;
        Guid guid;
        bool told;
    };
    std::map<std::uint64_t, Seen> by_prefix;
    for (const auto& node : cluster.nodes()) {
        if (!node.report.fabric.empty()) return;  // the walk knows better
        for (const auto& ref : node.ports) {
            if (!ref.port.subnet || !ref.port.subnet->sm || ref.port.subnet->sm->state != "MASTER") continue;
            const Guid guid = ref.port.subnet->sm->guid;
            const std::string path = node.at(ref, "subnet/sm/guid");
            const auto [entry, fresh] =
                by_prefix.try_emplace(ref.port.subnet_prefix.value_or(0), Seen{&node, path, guid, false});
            Seen& first = entry->second;
            // Two ports of one node are SM-12's.
            if (fresh || first.guid == guid || first.told || first.node == &node) continue;
            first.told = true;
            out.add(fmt::format("subnet prefix {:016x}", entry->first),
                    fmt::format("{} has the master {}, {} the master {}, with one subnet prefix: either the "
                                "subnet is split, or two subnets bear the same prefix.",
                                first.node->name, first.guid.text(), node.name, guid.text()))
                .because_of(first.node->name, first.path, first.guid)
                .because_of(node.name, path, guid)
                .as(Severity::warning)
                .as(Certainty::possible);
        }
    }
}

void only_one(const FabricView& fabric, Findings& out) {
    if (fabric.walk.sms.size() != 1 || !fabric.walk.complete) return;
    const SmInfo& sm = fabric.walk.sms.front();
    out.add("subnet", fmt::format("{} runs the only subnet manager: when it goes, nobody takes over.",
                                  where(fabric, sm)))
        .because(fabric.at(sm, "guid"), sm.guid);
}

void equal_priorities(const FabricView& fabric, Findings& out) {
    const auto& sms = fabric.walk.sms;
    for (std::size_t i = 0; i < sms.size(); ++i)
        for (std::size_t k = i + 1; k < sms.size(); ++k) {
            if (sms[i].priority != sms[k].priority) continue;
            out.add("subnet", fmt::format("The subnet managers on {} and {} have the same priority {}: the "
                                          "lower GUID is master.",
                                          where(fabric, sms[i]), where(fabric, sms[k]), sms[i].priority))
                .because(fabric.at(sms[i], "priority"), sms[i].priority)
                .because(fabric.at(sms[k], "priority"), sms[k].priority);
            return;
        }
}

void switch_and_host(const FabricView& fabric, Findings& out) {
    const SmInfo *on_switch = nullptr, *on_host = nullptr;
    for (const auto& sm : fabric.walk.sms) {
        const WalkNode* const owner = fabric.owner(sm.guid);
        if (!owner || sm.state == "NOTACTIVE") continue;
        (owner->type == "SWITCH" ? on_switch : on_host) = &sm;
    }
    if (!on_switch || !on_host) return;
    out.add("subnet", fmt::format("Subnet managers run in the switch {} (priority {}, {}) and on the host {} "
                                  "(priority {}, {}): their partitions may differ.",
                                  where(fabric, *on_switch), on_switch->priority, on_switch->state,
                                  where(fabric, *on_host), on_host->priority, on_host->state))
        .because(fabric.at(*on_switch, "priority"), on_switch->priority)
        .because(fabric.at(*on_host, "priority"), on_host->priority);
}

void slow_failover(const Node& node, Findings& out) {
    if (node.report.fabric.empty() || node.report.fabric.front().sms.size() < 2) return;
    if (std::ranges::none_of(node.ports, runs_sm)) return;
    const auto setting = [&](const std::string& key, std::uint64_t otherwise) {
        const auto found = node.report.system.opensm.find(key);
        return found == node.report.system.opensm.end()
                   ? otherwise
                   : parse_number<std::uint64_t>(found->second, 0).value_or(otherwise);
    };
    const double gap = static_cast<double>(setting("sminfo_polling_timeout", default_polling_ms)) *
                       static_cast<double>(setting("polling_retry_number", default_retries)) / 1000;
    if (gap < long_gap.value) return;
    auto& finding = out.add(
        "opensm", fmt::format("When the master dies, the standby here notices after about {:.0f} s.", gap));
    for (const char* key : {"sminfo_polling_timeout", "polling_retry_number"}) {
        const auto found = node.report.system.opensm.find(key);
        const std::string path = fmt::format("/system/opensm/{}", key);
        if (found == node.report.system.opensm.end())
            finding.because_absent(path);
        else
            finding.because(path, found->second);
    }
}

void old_opensm_with_ndr(const Node& node, Findings& out) {
    const Package* const opensm = node.find_package("opensm");
    if (!opensm || version_numbers(opensm->version) >= std::vector<std::uint32_t>{3, 4}) return;
    if (opensm->version.contains("MLNX") || opensm->version.contains("mlnx")) return;
    if (std::ranges::none_of(node.ports, runs_sm)) return;
    for (const auto& walk : node.report.fabric)
        for (const auto& one : walk.nodes)
            for (const auto& port : one.ports)
                if (one.type == "SWITCH" && speed_order(port.max_speed) >= speed_order("NDR")) {
                    const FabricView fabric{node, walk};
                    out.add("opensm", fmt::format("opensm {} manages a fabric with the NDR switch {}.",
                                                  opensm->version, fabric.node_name(one)))
                        .because(node.at(*opensm, "version"), opensm->version)
                        .as(Certainty::possible);
                    return;
                }
}

void silent_node(const FabricView& fabric, Findings& out) {
    const auto& errors = fabric.walk.errors;
    std::size_t silent = 0, last = 0;
    for (std::size_t i = 0; i < errors.size(); ++i)
        if (errors[i].error == "ETIMEDOUT" && errors[i].what != "walk") {
            ++silent;
            last = i;
        }
    if (silent == 0 || fabric.walk.nodes.size() < 2) return;
    out.add(
           "subnet",
           fmt::format(
               "{} question{} to nodes of the subnet had no answer, while {} nodes did answer; the last: {}.",
               silent, silent == 1 ? "" : "s", fabric.walk.nodes.size(), errors[last].what))
        .because(fabric.at_walk(fmt::format("errors/{}/what", last)), errors[last].what)
        .as(Certainty::possible);
}

}  // namespace

std::vector<Rule> subnet_managers_rules() {
    return {
        {.id = "SM-03",
         .severity = Severity::error,
         .title = "Two masters",
         .reads = "/fabric/*/sms; without a walk /devices/*/ports/*/subnet/sm of all nodes",
         .condition =
             "more than one subnet manager is MASTER; from the nodes' answers alone: a warning, possible",
         .meaning = "Both configure the fabric, and undo each other's LIDs and partitions.",
         .remedy = "Stop one; give the others distinct priorities.",
         .sources = "IBA vol. 1, 14.4",
         .fabric = two_masters,
         .cluster = two_masters_by_prefix},
        {.id = "SM-04",
         .severity = Severity::info,
         .title = "One subnet manager only",
         .reads = "/fabric/*/sms",
         .condition = "a complete walk met exactly one",
         .meaning = "No failover.",
         .remedy = "A second opensm on another node, with a lower priority (opensm -p).",
         .sources = "opensm(8)",
         .fabric = only_one},
        {.id = "SM-05",
         .severity = Severity::info,
         .title = "Subnet managers with equal priorities",
         .reads = "/fabric/*/sms/*/priority",
         .condition = "two have the same priority",
         .meaning = "The lower GUID wins, which surprises after a reboot or a change of cards.",
         .remedy = "Distinct priorities, 0 to 15; the highest is master.",
         .sources = "IBA vol. 1, 14.4.1",
         .fabric = equal_priorities},
        {.id = "SM-06",
         .severity = Severity::warning,
         .title = "A subnet manager in the switch and one on a host",
         .reads = "/fabric/*/sms, nodes/*/type",
         .condition = "one that is active on a switch, another on a host",
         .meaning = "Who is master is an accident of priorities, and partitions differ between the two.",
         .remedy =
             "Choose one place and switch the other off; or keep priorities apart and partitions the same.",
         .sources = "dell/omnia pull request 423",
         .fabric = switch_and_host},
        {.id = "SM-08",
         .severity = Severity::info,
         .title = "A standby that takes over late",
         .reads = "/system/opensm, /fabric/0/sms",
         .condition =
             "this node runs one of several managers, and polling time times retries is above the threshold",
         .meaning = "The subnet is without a manager for as long.",
         .remedy = "In /etc/opensm/opensm.conf: sminfo_polling_timeout 1000, polling_retry_number 2.",
         .sources = "opensm(8); measured on a simulated fabric: 4 s instead of more than 35 s",
         .needs = {Part::devices, Part::fabric, Part::system},
         .thresholds = {long_gap},
         .applies = has_infiniband,
         .node = slow_failover},
        {.id = "SM-10",
         .severity = Severity::warning,
         .title = "An opensm that is too old for the switch",
         .reads = "/system/packages opensm; /fabric/*/nodes/*/ports/*/max_speed",
         .condition = "upstream opensm before 3.4 runs here and the fabric has an NDR switch",
         .meaning = "Users report that it does not manage Quantum-2 fabrics.",
         .remedy = "The vendor's opensm, or the manager in the switch.",
         .sources = "linux-rdma/opensm issue 38",
         .needs = {Part::devices, Part::packages, Part::fabric},
         .applies = has_infiniband,
         .node = old_opensm_with_ndr},
        {.id = "SM-11",
         .severity = Severity::warning,
         .title = "A node of the subnet does not answer",
         .reads = "/fabric/*/errors",
         .condition = "SMPs to a node timed out, to others not",
         .meaning = "Its management agent hangs, or an M_Key protects it, or it went away during the walk.",
         .remedy = "Walk again; then look at that node: reboot it, or give the manager its M_Key.",
         .sources = "IBA vol. 1, 14.2.4",
         .fabric = silent_node},
    };
}

}  // namespace pve_rdma::doctor
