// The checks of refuse.cpp, by what they look at.
#pragma once

#include "plan/refuse.h"

namespace pve_rdma {

using Refusals = std::vector<Error>;

Refusals refuse_names(const Safety&);       // of new links
Refusals refuse_infiniband(const Safety&);  // IPoIB in bridges and bonds, children of bonds
Refusals refuse_mtus(const Safety&);
Refusals refuse_bond_ports(const Safety&);
Refusals refuse_partitions(const Safety&);  // MTUs that the fabric does not carry
Refusals refuse_port_types(const Safety&);
Refusals refuse_lent_addresses(const Safety&);
Refusals refuse_lost_routes(const Safety&);  // that could not come back

void subnet_manager_cautions(const Safety&, std::vector<std::string>& words);

// "no" with its reason, and what to do instead.
inline Error no(const std::string& subject, std::string message, std::string hint) {
    return {.code = ErrorCode::bad_request,
            .subject = subject,
            .message = std::move(message),
            .hint = std::move(hint)};
}

}  // namespace pve_rdma
