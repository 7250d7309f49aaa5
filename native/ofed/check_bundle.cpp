// The bundle itself: OFED-08, 09, 25.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ofed/check.h"
#include "ofed/rules.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Findings;
using doctor::Severity;

// What the installer compares the marker with: ID and VERSION_ID of os-release. Debian's VERSION_ID has no
// point release, the vendor's markers do: newer installers take the release from /etc/debian_version.
std::string own_distro(const NodeFacts& facts) {
    if (facts.distro && facts.distro->starts_with("debian") && facts.point_release)
        return "debian" + *facts.point_release;
    return facts.distro.value_or("");
}

// "debian12.5" -> "debian", 12
std::pair<std::string, std::string> family_of(const std::string& distro) {
    const auto digit = distro.find_first_of("0123456789");
    const auto dot = std::min(distro.find('.'), distro.size());
    if (digit == std::string::npos) return {distro, ""};
    return {distro.substr(0, digit), distro.substr(digit, dot - digit)};
}

void check_marker(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-08"), of.in.node.name);
    const auto& marker = of.vendor->distro;
    const std::string own = own_distro(of.in.facts);
    if (!marker) return out.unknown("the bundle has no marker of a distribution");
    if (own.empty()) return out.unknown("the node's distribution is not known");
    if (*marker == own) return;
    const auto [name, major] = family_of(*marker);
    const auto [own_name, own_major] = family_of(own);
    auto& finding =
        out.add(*marker, fmt::format("The bundle is built for {}, the node runs {}: the installer refuses "
                                     "(exit code 172) unless --distro {} is given.",
                                     *marker, own, *marker));
    if (name != own_name)
        finding.message += fmt::format(" Its packages are linked against the libraries of {}.", name);
    else if (major != own_major)
        finding.message += " It is another major release: libraries and prerequisites have other versions.";
    else
        finding.do_this(fmt::format("Within one major release it can be tried with --distro {}.", *marker));
}

// uname -m against Debian's word for it.
bool same_machine(std::string_view machine, std::string_view own) {
    return machine == own || (machine == "amd64" && own == "x86_64") ||
           (machine == "arm64" && own == "aarch64");
}

void check_machine(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-09"), of.in.node.name);
    const auto& own = of.in.node.report.system.machine;
    if (!of.vendor->machine) return;
    if (!own) return out.unknown("the node's architecture is not known");
    if (!same_machine(*of.vendor->machine, *own))
        out.add(*of.vendor->machine,
                fmt::format("The bundle is for {}, the node is {}.", *of.vendor->machine, *own));
}

}  // namespace

void check_bundle(const Situation& of, Findings& out) {
    if (!of.vendor) return;
    check_marker(of, out);
    check_machine(of, out);
    if (of.in.flags.unknown.empty()) return;
    out.speak_for(check_rule("OFED-25"), of.in.node.name);
    out.add("flags", fmt::format("{}", fmt::join(of.in.flags.unknown, " ")));
}

}  // namespace pve_rdma::ofed
