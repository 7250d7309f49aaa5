#include "mad/requests.h"

#include "facts/pma.h"
#include "facts/sa.h"

namespace pve_rdma {

namespace {

// Component mask bits (IBA 15.2.5.16, 15.2.5.17).
constexpr std::uint64_t path_dlid = 1u << 4, path_slid = 1u << 5, path_reversible = 1u << 11,
                        path_numb_path = 1u << 12;
constexpr std::uint64_t member_mgid = 1u << 0;

MadRequest sa_request(const SaTarget& sa, std::uint8_t method, std::uint16_t attribute) {
    return {.management_class = MadClass::administration,
            .method = method,
            .attribute = attribute,
            .lid = sa.lid,
            .sl = sa.sl};
}

}  // namespace

MadRequest get_smp(const SmpTarget& target, std::uint16_t attribute, std::uint32_t modifier) {
    MadRequest request{.management_class = target.route ? MadClass::subnet_directed : MadClass::subnet,
                       .attribute = attribute,
                       .modifier = modifier,
                       .lid = target.lid};
    if (target.route) request.route = *target.route;
    return request;
}

MadRequest get_performance(std::uint16_t lid, std::uint16_t attribute, std::uint32_t port_select) {
    MadRequest request{.management_class = MadClass::performance, .attribute = attribute, .lid = lid};
    PortCounters selection;  // both counter attributes have their PortSelect in the same place
    selection.port_select = port_select;
    write_wire(selection, request.payload);
    return request;
}

MadRequest get_sa_class_port_info(const SaTarget& sa) {
    return sa_request(sa, mad_method::get, attribute::class_port_info);
}

MadRequest get_sm_info_records(const SaTarget& sa) {
    return sa_request(sa, mad_method::get_table, attribute::sm_info_record);
}

MadRequest get_path_record(const SaTarget& sa, std::uint16_t from_lid, std::uint16_t to_lid) {
    MadRequest request = sa_request(sa, mad_method::get, attribute::path_record);
    request.component_mask = path_dlid | path_slid | path_reversible | path_numb_path;
    PathRecord wanted;
    wanted.slid = from_lid;
    wanted.dlid = to_lid;
    wanted.reversible = 1;
    wanted.numb_path = 1;
    write_wire(wanted, request.payload);
    return request;
}

MadRequest get_mc_member_record(const SaTarget& sa, const Gid& mgid) {
    MadRequest request = sa_request(sa, mad_method::get, attribute::mc_member_record);
    request.component_mask = member_mgid;
    McMemberRecord wanted;
    wanted.mgid = mgid;
    write_wire(wanted, request.payload);
    return request;
}

Gid ipoib_broadcast_group(PKey pkey) {
    const auto full = static_cast<std::uint16_t>(pkey.value | 0x8000);
    Gid gid;
    gid.octets = {
        0xff, 0x12, 0x40, 0x1b, static_cast<std::uint8_t>(full >> 8), static_cast<std::uint8_t>(full)};
    for (std::size_t i = 12; i < 16; ++i)
        gid.octets[i] = 0xff;
    return gid;
}

}  // namespace pve_rdma
