// The requests that this library sends. All of them only read.
#pragma once

#include "base/guid.h"
#include "base/pkey.h"
#include "mad/mad.h"

namespace pve_rdma {

// Where an SMP goes: a LID, or a direct route.
struct SmpTarget {
    std::uint16_t lid = 0;
    std::optional<DirectRoute> route{};
};

MadRequest get_smp(const SmpTarget&, std::uint16_t attribute, std::uint32_t modifier = 0);
MadRequest get_performance(std::uint16_t lid, std::uint16_t attribute, std::uint32_t port_select = 0);

// Where the subnet administration is.
struct SaTarget {
    std::uint16_t lid = 0;
    std::uint8_t sl = 0;
};

MadRequest get_sa_class_port_info(const SaTarget&);
MadRequest get_sm_info_records(const SaTarget&);  // all, by GetTable
// One reversible path.
MadRequest get_path_record(const SaTarget&, std::uint16_t from_lid, std::uint16_t to_lid);
// The group itself, whoever its members are.
MadRequest get_mc_member_record(const SaTarget&, const Gid& mgid);

// ff12:401b:PKEY::ffff:ffff, PKEY as for full members (RFC 4391, section 4).
Gid ipoib_broadcast_group(PKey);

}  // namespace pve_rdma
