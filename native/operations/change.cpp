#include "operations/change.h"

#include <filesystem>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "apply/restart_service.h"
#include "kernel/read_network.h"
#include "observe/interfaces_file.h"
#include "observe/node.h"
#include "observe/services.h"
#include "observe/storage_targets.h"
#include "operations/config_file.h"
#include "operations/connection.h"
#include "operations/partition_groups.h"
#include "operations/reports.h"
#include "plan/merge.h"

namespace pve_rdma {

namespace {

constexpr std::size_t document_limit = 64u << 20;

Result<std::string> document_text(const Request& request, std::string& name) {
    if (const auto text = request.text("document")) {
        name = "document";
        return *text;
    }
    const auto file = request.text("file");
    if (!file)
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = "document",
                                     .message = "a document of what is wanted is needed",
                                     .hint = "pve-rdma show prints the present state as one"});
    name = *file;
    if (*file == "-") {
        name = "standard input";
        std::string text(std::istreambuf_iterator<char>(std::cin), {});
        return text;
    }
    const auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    const std::string path = file->starts_with('/') ? *file : std::filesystem::absolute(*file).string();
    return machine->bytes(path, document_limit);
}

// What could not be read of the state: a plan from half of it is none.
Result<void> whole(const NodeReport& report) {
    const auto source = report.sources.find("rtnetlink");
    if (source == report.sources.end() || source->second.unavailable || !source->second.unread.empty())
        return std::unexpected(Error{
            .code = ErrorCode::unavailable,
            .subject = "rtnetlink",
            .message =
                "links, addresses, routes and rules could not all be read, and a plan needs all of them",
            .hint = "pve-rdma probe --sections links says what is missing"});
    return {};
}

// A link that is given by a host's name is not asked: finding its address may itself need the network.
std::vector<ReachTarget> cluster_peers(const Machine& machine, const std::string& own_name) {
    std::vector<ReachTarget> peers;
    for (const auto& node : corosync_peers(machine, own_name))
        for (const auto& link : node.links)
            if (const auto address = IpAddress::parse(link.address))
                peers.push_back({fmt::format("corosync's node {} ({})", node.name, link.address), *address});
    return peers;
}

}  // namespace

std::vector<PlannedStep> planned_steps(const Plan& plan) {
    std::vector<PlannedStep> planned;
    const auto add = [&](PlannedStep step) {
        step.id = static_cast<std::uint32_t>(planned.size() + 1);
        planned.push_back(std::move(step));
    };
    for (const auto& step : plan.steps)
        if (!step.setting || step.setting->after)
            add({.action = step.action(),
                 .text = step.text(),
                 .undo = step.inverse().text(),
                 .risk = step.risk()});
    for (const auto& service : services_of(plan.files)) {
        const std::string text = fmt::format("restart {}, if it runs, once its files are written", service);
        add({.action = "service.restart",
             .text = text,
             .undo = text,
             .risk = "until it is up again, ports that come up or join a group wait"});
    }
    return planned;
}

std::vector<Parameter> change_parameters() {
    return {{.name = "file",
             .description = "The document of what is wanted; - reads it from standard input.",
             .placeholder = "FILE",
             .positional = true,
             .faces = cli_only},
            {.name = "document",
             .description = "The document of what is wanted, as JSON text.",
             .placeholder = "JSON"},
            {.name = "digest",
             .description = "Refuse unless the interfaces files still have this digest (config show).",
             .placeholder = "DIGEST"},
            {.name = "caller",
             .description = "The address that the caller comes from: the way back to it is kept.",
             .placeholder = "ADDRESS",
             .faces = api_only},
            {.name = "live_only",
             .type = ParameterType::flag,
             .description = "Leave the files as they are: the change ends with the next boot."}};
}

Result<Proposal> propose(const Request& request) {
    Proposal proposal;
    std::string name;
    const auto text = document_text(request, name);
    if (!text) return std::unexpected(text.error());
    auto desired = parse_desired(*text, name);
    if (!desired) return std::unexpected(desired.error());
    proposal.desired = std::move(*desired);

    const auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    Observation asked{.sections = {"system", "pci", "devices", "links"}};
    if (proposal.desired.subnet_manager) {  // what the fabric carries, and who manages it
        asked.sections.emplace_back("subnet");
        asked.fabric = true;
    }
    auto report = observe(asked);
    if (!report) return std::unexpected(report.error());
    if (auto good = whole(*report); !good) return std::unexpected(good.error());
    Network now = network_of(*report);
    now.sysctls = read_sysctls(*machine, sysctls_of_interest(proposal.desired));

    MachineFiles files(*machine);
    const bool has_file = machine->exists(interfaces_path);
    if (has_file) {
        const auto view = read_config(interfaces_path);
        if (!view) return std::unexpected(view.error());
        proposal.digest = config_digest(*view);
    }
    if (const auto digest = request.text("digest"); digest && *digest != proposal.digest)
        return std::unexpected(
            Error{.code = ErrorCode::conflict,
                  .subject = interfaces_path,
                  .message = "the files are not those of that digest: somebody changed them",
                  .hint = "look at them again: pve-rdma config show"});
    proposal.connection = calling_connection(*machine);
    proposal.caller = caller_address(proposal.connection);
    if (const auto caller = request.text("caller")) {
        const auto address = IpAddress::parse(*caller);
        if (!address)
            return std::unexpected(Error{.code = ErrorCode::bad_request,
                                         .subject = "caller",
                                         .message = fmt::format("\"{}\" is not an address", *caller)});
        proposal.caller = *address;
    }
    auto plan = make_plan({.now = now,
                           .desired = proposal.desired,
                           .report = *report,
                           .files = request.flag("live_only") ? nullptr : &files,
                           .interfaces = interfaces_path,
                           .caller = proposal.caller,
                           .disks = storage_targets(*machine)});
    if (!plan) return std::unexpected(plan.error());
    proposal.plan = std::move(*plan);
    proposal.peers = cluster_peers(*machine, report->system.hostname.value_or(""));
    proposal.manages_subnet = is_master_here(*report);
    return proposal;
}

void answer(Proposal& proposal, Reply& reply) {
    reply.plan = planned_steps(proposal.plan);
    reply.diff = proposal.plan.diff;
    reply.digest = proposal.digest;
    reply.refusals.emplace();
    for (const auto& refusal : proposal.plan.refusals)
        reply.refusals->push_back(ErrorView::from(refusal));
    std::ranges::copy(proposal.plan.notes, std::back_inserter(reply.warnings));
    if (!proposal.plan.refusals.empty()) reply.ok = false;
}

std::string proposal_text(const Reply& reply, const TextStyle&) {
    std::string text;
    if (reply.plan && reply.plan->empty() && reply.diff.value_or("").empty() && reply.ok)
        text += "Nothing to do: the network and its files are as the document says.\n";
    for (const auto& step : reply.plan.value_or(std::vector<PlannedStep>{})) {
        text += fmt::format("{:>4}  {}\n", step.id, step.text);
        if (step.risk != "none") text += fmt::format("      risk: {}\n", step.risk);
    }
    if (reply.diff && !reply.diff->empty()) text += (text.empty() ? "" : "\n") + *reply.diff;
    for (const auto& refusal : reply.refusals.value_or(std::vector<ErrorView>{})) {
        text += fmt::format("\nrefused: {}: {}\n", refusal.subject, refusal.message);
        if (refusal.kernel_text) text += fmt::format("   kernel: {}\n", *refusal.kernel_text);
        if (refusal.hint) text += fmt::format("  instead: {}\n", *refusal.hint);
    }
    return text;
}

}  // namespace pve_rdma
