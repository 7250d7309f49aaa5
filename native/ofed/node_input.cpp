#include "ofed/node_input.h"

#include <algorithm>
#include <set>

#include "ofed/ask_reader.h"
#include "ofed/plan/selection.h"

namespace pve_rdma::ofed {

namespace {

constexpr const char* status_file = "/var/lib/dpkg/status";
constexpr const char* info_folder = "/var/lib/dpkg/info";
constexpr std::size_t max_status = 64u << 20, max_list = 8u << 20;

// Which package owns the files that the bundle has.
FileOwners read_owners(const Machine& machine, const std::vector<Bundle>& bundles) {
    std::set<std::string_view> wanted;
    for (const auto& bundle : bundles)
        for (const auto& package : bundle.packages)
            wanted.insert(package.files.begin(), package.files.end());
    FileOwners owners;
    const auto names = machine.list(info_folder);
    if (!names) return owners;
    for (const auto& name : *names) {
        if (!name.ends_with(".list")) continue;
        const auto text = machine.bytes(std::string(info_folder) + "/" + name, max_list);
        if (!text) continue;
        const std::string owner =
            name.substr(0, name.find_first_of(":") == std::string::npos ? name.size() - 5 : name.find(':'));
        std::string_view rest = *text;
        while (!rest.empty()) {
            const auto end = std::min(rest.find('\n'), rest.size());
            if (const auto line = rest.substr(0, end); wanted.contains(line))
                owners.try_emplace(std::string(line), owner);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return owners;
}

std::vector<std::string> names_of(const std::vector<const BundlePackage*>& packages) {
    std::vector<std::string> names;
    for (const auto* package : packages)
        if (std::ranges::find(names, package->name) == names.end()) names.push_back(package->name);
    return names;
}

// What apt is asked, once the bundles are known.
std::vector<AptQuestion> questions(const CheckRequest& request, const std::vector<Bundle>& bundles,
                                   const InstallerFlags& flags) {
    std::vector<AptQuestion> asked;
    std::vector<std::string> loose = request.packages;
    for (const auto& bundle : bundles) {
        if (has_installer(bundle)) {
            if (auto names = prerequisites(bundle, flags); !names.empty() && !flags.check_only)
                asked.push_back({plan_prerequisites, std::move(names), {}, false});
        } else {
            for (auto& name : names_of(selected_packages(bundle, flags)))
                loose.push_back(std::move(name));
        }
    }
    if (!loose.empty()) asked.push_back({plan_packages, std::move(loose), {}, !bundles.empty()});
    return asked;
}

}  // namespace

std::optional<Installed> read_installed(const Machine& machine) {
    auto text = machine.bytes(status_file, max_status);
    if (!text) return std::nullopt;
    auto parsed = Installed::parse(std::move(*text), status_file);
    return parsed ? std::optional(std::move(*parsed)) : std::nullopt;
}

Result<Judgement> check_node(const CheckRequest& request, const NodeReport& report, const Machine& machine) {
    const doctor::Node node(report, report.system.hostname.value_or(request.root));
    const auto facts = read_node_facts(machine, report.system.kernel_release);
    const auto flags = InstallerFlags::parse(request.flags);
    ReaderQuestion question{.bundles = request.bundles,
                            .files = request.files,
                            .debian = facts.point_release.value_or(""),
                            .root = request.root,
                            .status = {},
                            .questions = {}};
    auto answer = ask_reader(question);
    if (!answer) return std::unexpected(answer.error());
    std::vector<AptPlan> plans;
    std::string no_plans;
    if (auto asked = questions(request, answer->bundles, flags); !asked.empty()) {
        question.questions = std::move(asked);
        // The bundles are read once more only when apt must see them as a source.
        if (!std::ranges::any_of(question.questions, &AptQuestion::with_bundle)) question.bundles.clear();
        question.files = false;
        auto planned = ask_reader(question);
        if (planned)
            plans = std::move(planned->plans);
        else
            no_plans = planned.error().text();
    }
    const auto installed = read_installed(machine);
    CheckInput input{.node = node,
                     .facts = facts,
                     .installed = installed ? &*installed : nullptr,
                     .bundles = answer->bundles,
                     .packages = request.packages,
                     .flags = flags,
                     .plans = std::move(plans),
                     .no_plans = std::move(no_plans),
                     .owners = {},
                     .pasted = request.pasted};
    if (request.files) input.owners = read_owners(machine, answer->bundles);
    return judge(input);
}

}  // namespace pve_rdma::ofed
