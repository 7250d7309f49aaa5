// What apt and dpkg do: OFED-04, 05, 06.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.h"
#include "ofed/bundle/control.h"
#include "ofed/check.h"
#include "ofed/plan/selection.h"
#include "ofed/plan/version.h"
#include "ofed/rules.h"
#include "ofed/tables.h"
#include "ofed/tier.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Findings;
using doctor::Severity;

constexpr std::size_t names_shown = 8;

std::string some(const std::vector<std::string>& names) {
    if (names.size() <= names_shown) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + names_shown, ", "),
                       names.size() - names_shown);
}

const AptChange* worst_removal(const Installed* installed, const AptPlan& plan) {
    const AptChange* worst = nullptr;
    for (const auto& change : plan.changes)
        if (change.action == "remove" &&
            (!worst || change.name == "proxmox-ve" ||
             (tier_of(installed, change.name) && !tier_of(installed, worst->name))))
            if (!worst || worst->name != "proxmox-ve") worst = &change;
    return worst;
}

std::vector<std::string> removed_names(const AptPlan& plan) {
    std::vector<std::string> names;
    for (const auto& change : plan.changes)
        if (change.action == "remove") names.push_back(change.name);
    return names;
}

void say_removals(const Installed* installed, const AptPlan& plan, std::string_view what, Findings& out) {
    const auto* worst = worst_removal(installed, plan);
    if (!worst) return;
    const auto names = removed_names(plan);
    auto& finding = out.add(
        worst->name, fmt::format("{} removes {} package{}: {}. Why: {}.", what, names.size(),
                                 names.size() == 1 ? "" : "s", some(names),
                                 worst->chain.empty() ? "apt chose so"
                                                      : fmt::format("{}", fmt::join(worst->chain, "; "))));
    finding.as(tier_of(installed, worst->name) ? Severity::error : Severity::warning);
}

std::string not_asked(const Situation& of, std::string_view about) {
    const auto& why = of.in.no_plans;
    return fmt::format("apt could not be asked about {}{}{}", about, why.empty() ? "" : ": ", why);
}

void check_prerequisites(const Situation& of, Findings& out) {
    if (!of.vendor) return;
    out.speak_for(check_rule("OFED-04"), of.in.node.name);
    const auto* plan = of.plan(plan_prerequisites);
    if (!plan) {
        if (of.vendor->installer && !prerequisites(*of.vendor, of.in.flags).empty())
            out.unknown(not_asked(of, "the installer's prerequisites"));
        else if (!of.vendor->installer && !of.in.flags.without_depcheck)
            out.unknown("the bundle's prerequisites could not be read");
        return;
    }
    if (!plan->solved)
        out.add("prerequisites",
                fmt::format("apt cannot install what the installer asks for, so it ends with exit code 1 "
                            "before the removal: {}.",
                            some(plan->problems)))
            .as(Severity::warning)
            .do_this(
                "Do not answer with --without-depcheck or an old repository: that is what leads to the "
                "removal.");
    say_removals(of.in.installed, *plan, "The installer's apt-get install -y of its prerequisites", out);
}

// Packages of the node that the bundle brings to the vendor's versions, and those it leaves behind.
void check_versions(const Situation& of, const AptPlan* plan, Findings& out) {
    std::vector<std::string> replaced, downgraded;
    std::set<std::string> sources_new;
    const auto note = [&](const std::string& name, std::string_view from, std::string_view to) {
        if (from.empty() || from == to) return;
        const bool down = compare_versions(to, from) < 0;
        (down ? downgraded : replaced).push_back(fmt::format("{} {} -> {}", name, from, to));
    };
    if (plan && plan->solved) {
        for (const auto& change : plan->changes)
            if (change.from && change.to) note(change.name, *change.from, *change.to);
    } else if (of.in.installed) {
        for (const auto* package : of.packages) {
            const auto* own = of.in.installed->find(package->name);
            if (own && own->present()) note(package->name, own->version, package->version);
        }
    }
    if (!downgraded.empty())
        out.add("packages", fmt::format("Packages of the node get older versions: {}.", some(downgraded)))
            .as(of.vendor || !of.in.bundles.empty() ? Severity::error : Severity::warning)
            .do_this("Programs of the node are linked against the newer ones: stay with the distribution's.");
    if (!replaced.empty())
        out.add("packages",
                fmt::format("Packages of the distribution get the vendor's versions: {}.", some(replaced)))
            .as(Severity::warning)
            .do_this(
                "Later updates of the distribution no longer reach them, and other packages may need their "
                "old "
                "libraries.");
}

// Vendor tools beside the distribution's libraries: they look for symbols that are not there.
void check_left_behind(const Situation& of, Findings& out) {
    if (!of.in.installed) return;
    std::vector<std::string> behind;
    bool vendor_tools = false;
    std::set<std::string_view> coming;
    for (const auto* package : of.packages) {
        coming.insert(package->name);
        vendor_tools = vendor_tools || package->version.find("mlnx") != std::string::npos ||
                       package->version.find("MLNX") != std::string::npos;
    }
    const auto wants_library = [](const BundlePackage& package, std::string_view library) {
        ControlReader reader(package.control, package.path);
        const auto stanza = reader.next();
        if (!stanza || !*stanza) return false;
        for (const auto& group : parse_relations((*stanza)->get("Depends")))
            for (const auto& target : group)
                if (target.name == library) return true;
        return false;
    };
    for (const std::string_view library : {"libibverbs1", "librdmacm1", "libibumad3", "rdma-core"}) {
        const auto* own = of.in.installed->find(library);
        if (!own || !own->present() || coming.contains(library) ||
            own->version.find("mlnx") != std::string_view::npos)
            continue;
        if (std::ranges::any_of(of.packages,
                                [&](const BundlePackage* one) { return wants_library(*one, library); }))
            behind.emplace_back(library);
    }
    if (vendor_tools && !behind.empty())
        out.add("packages", fmt::format("The vendor's tools come without its libraries: {} stay as they are.",
                                        some(behind)))
            .as(Severity::warning)
            .do_this("Upgrade these with them, or take the distribution's tools.");
}

// Debian's libibmad5 and the vendor's libibmad are one library under two sonames.
void check_sonames(const Situation& of, Findings& out) {
    std::vector<std::string> changed;
    for (const auto* package : of.packages)
        for (const auto& [vendors, debians] :
             {std::pair<std::string_view, std::string_view>{"libibmad", "libibmad5"},
              {"libibumad", "libibumad3"},
              {"libopensm", "libopensm9"}})
            if (package->name == vendors)
                changed.push_back(fmt::format("{} in place of {}", vendors, debians));
    if (changed.empty()) return;
    out.add("packages", fmt::format("Libraries come under other names: {}.", some(changed)))
        .as(Severity::warning)
        .do_this("Programs that need the distribution's library cannot be installed beside them.");
}

// "54mlnx1-1.54241" -> 54; later releases count by year and month: "2410mlnx54-1.2410068" -> 2410.
std::optional<unsigned> library_release(std::string_view version) {
    const auto mark = version.find("mlnx");
    if (mark == std::string_view::npos) return std::nullopt;
    return parse_number<unsigned>(version.substr(0, mark));
}

// Up to 5.4 the vendor's libmlx5 had symbols of a version of its own, MLX5_OFED.
void check_private_symbols(const Situation& of, Findings& out) {
    constexpr unsigned last_with_them = 54;
    for (const auto* package : of.packages) {
        if (package->name != "ibverbs-providers" && package->name != "libmlx5-1") continue;
        const auto* own = of.in.installed ? of.in.installed->find(package->name) : nullptr;
        const auto now = own && own->present() ? library_release(own->version) : std::nullopt;
        const auto then = library_release(package->version);
        if (!now || !then || *now > last_with_them || *then <= last_with_them) continue;
        out.add(package->name,
                fmt::format("{} -> {}: libmlx5 has no symbols of the version MLX5_OFED any more.",
                            own->version, package->version))
            .as(Severity::info)
            .do_this(
                "Programs that were linked against them (readelf -V names MLX5_OFED) must be built anew.");
    }
}

void check_foreign_dkms(const Situation& of, Findings& out) {
    for (const auto* package : of.packages)
        if (package->name == "dkms")
            out.add("dkms",
                    fmt::format("The source has a dkms of its own, {}: it would replace the distribution's.",
                                package->version))
                .as(Severity::warning)
                .do_this("Pin it away: Package: dkms, Pin: origin of the vendor's host, Pin-Priority: -1.");
}

void check_files(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-06"), of.in.node.name);
    if (!of.in.installed || of.packages.empty()) return;
    std::vector<std::string> gone;
    if (of.removal)
        for (const auto index : of.removal->removed)
            gone.emplace_back(of.in.installed->at(index).name);
    std::vector<Overwrite> found;
    if (of.in.owners) found = find_overwrites(of.packages, *of.in.installed, *of.in.owners, gone);
    for (const auto& known : known_overwrites()) {
        const auto* owner = of.in.installed->find(known.owner);
        const bool coming = std::ranges::any_of(
            of.packages, [&](const BundlePackage* one) { return one->name == known.package; });
        const bool doca = known.origin == "doca" && !of.vendor;
        const bool mlnx =
            known.origin == "mlnx_libs" && of.vendor && of.release && release_at_most(*of.release, "5.0");
        if (!of.in.owners && coming && owner && owner->present() && (doca || mlnx) &&
            std::ranges::find(gone, known.owner) == gone.end())
            found.push_back(
                {std::string(known.package), std::string(known.owner), {std::string(known.file)}, 1});
    }
    for (const auto& one : found)
        out.add(one.package,
                fmt::format("{} has {} file{} of {} ({}): dpkg aborts there.", one.package, one.count,
                            one.count == 1 ? "" : "s", one.owner, fmt::join(one.files, ", ")));
    if (!of.in.owners && found.empty())
        out.unknown("the bundle's files were not compared with those of the node");
}

}  // namespace

void check_apt(const Situation& of, Findings& out) {
    check_prerequisites(of, out);
    out.speak_for(check_rule("OFED-05"), of.in.node.name);
    const auto* plan = of.plan(plan_packages);
    if (!of.vendor && !plan && (!of.packages.empty() || !of.in.packages.empty()))
        out.unknown(not_asked(of, "the packages"));
    if (plan && !plan->solved)
        out.add("apt", fmt::format("apt refuses: {}.", some(plan->problems))).as(Severity::warning);
    if (plan) say_removals(of.in.installed, *plan, "apt", out);
    check_versions(of, plan, out);
    check_left_behind(of, out);
    check_sonames(of, out);
    check_private_symbols(of, out);
    check_foreign_dkms(of, out);
    check_files(of, out);
}

}  // namespace pve_rdma::ofed
