#include "plan/merge.h"

#include <algorithm>

#include <fmt/format.h>

#include "network/port_type.h"
#include "network/settings.h"
#include "network/sysctl_profile.h"
#include "plan/merge_parts.h"

namespace pve_rdma {

std::vector<std::string> sysctls_of_interest(const Desired& desired) {
    std::vector<std::string> names{"net.ipv4.conf.all.promote_secondaries", "net.ipv4.conf.all.rp_filter",
                                   "net.ipv4.conf.all.arp_ignore", "net.ipv4.conf.all.arp_announce"};
    const auto add = [&](const std::string& dev) {
        for (const char* name : {"promote_secondaries", "rp_filter"})
            names.push_back(fmt::format("net.ipv4.conf.{}.{}", dev, name));
    };
    for (const auto& link : desired.links)
        add(link.name);
    for (const auto& route : desired.routes)
        if (route.dev) add(*route.dev);
    for (const auto& [name, value] : desired.sysctl)
        names.push_back(name);
    if (desired.sysctl_profile)
        for (const auto& advice : find_sysctl_profile(*desired.sysctl_profile)->advice)
            names.emplace_back(advice.name);
    for (const auto& want : desired.port_types)
        for (const std::uint32_t port : {1u, 2u})
            names.push_back(PortTypeName{want.device, port}.text());
    return names;
}

Merged merge(const Network& now, const Desired& desired) {
    Merged merged{.target = now};
    merge_links(now, desired, merged);
    merge_addresses(desired, merged);
    merge_routes(desired, merged);
    merge_rules(desired, merged);
    for (const auto& [name, value] : desired.sysctl) {
        const auto known = merged.target.sysctls.find(name);
        if (known == merged.target.sysctls.end())
            merged.refusals.push_back({.code = ErrorCode::not_found,
                                       .subject = name,
                                       .message = "this kernel has no such sysctl, or it could not be read",
                                       .hint = "a sysctl of a link exists as long as the link does"});
        else
            known->second = value;
    }
    for (const auto& want : desired.port_types) {
        const auto known = merged.target.sysctls.find(PortTypeName{want.device, want.port}.text());
        if (known == merged.target.sysctls.end())
            merged.refusals.push_back({.code = ErrorCode::not_found,
                                       .subject = fmt::format("port {} of {}", want.port, want.device),
                                       .message = "there is no such port whose type the driver can change",
                                       .hint = "mlx4 (ConnectX-3) can; later cards change it in their "
                                               "firmware (mlxconfig, LINK_TYPE_P1)"});
        else
            known->second = want.type;
    }
    return merged;
}

}  // namespace pve_rdma
