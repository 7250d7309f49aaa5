#include "observe/verbs_values.h"

#include <algorithm>
#include <cstring>

#include <endian.h>

#include "base/mtu.h"
#include "facts/rdma_words.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

struct Code {
    unsigned code;
    const char* name;
};
constexpr Code widths[] = {{1, "1X"}, {2, "4X"}, {4, "8X"}, {8, "12X"}, {16, "2X"}};
constexpr Code speeds[] = {{1, "SDR"},  {2, "DDR"},  {4, "QDR"},  {8, "FDR10"},
                           {16, "FDR"}, {32, "EDR"}, {64, "HDR"}, {128, "NDR"}};

template <std::size_t N>
const char* name_of(const Code (&codes)[N], unsigned code) {
    const auto found = std::ranges::find(codes, code, &Code::code);
    return found == std::end(codes) ? nullptr : found->name;
}

template <class T, class V>
void set(std::optional<T>& out, V value) {
    if (!out) out = static_cast<T>(value);
}
void set_name(std::optional<std::string>& out, std::string_view name) {
    if (!out && !name.empty()) out = name;
}

constexpr const char* gid_types[] = {"IB", "RoCE v1", "RoCE v2"};  // enum ibv_gid_type

}  // namespace

const char* width_name(unsigned code) {
    return name_of(widths, code);
}
const char* speed_name(unsigned code) {
    return name_of(speeds, code);
}

void add_device_attributes(const ibv_device_attr_ex& extended, int completion_vectors, RdmaDevice& device) {
    const ibv_device_attr& attr = extended.orig_attr;
    if (!device.fw_ver)
        if (const std::string version(attr.fw_ver, ::strnlen(attr.fw_ver, sizeof attr.fw_ver));
            !version.empty())
            device.fw_ver = printable(version);
    if (!device.node_guid) device.node_guid = Guid{be64toh(attr.node_guid)};
    if (!device.sys_image_guid) device.sys_image_guid = Guid{be64toh(attr.sys_image_guid)};
    device.vendor_id = attr.vendor_id;
    device.vendor_part_id = attr.vendor_part_id;
    device.hw_ver = attr.hw_ver;

    const auto limit = [&](const char* name, auto value) {
        if constexpr (std::is_signed_v<decltype(value)>)
            if (value < 0) return;
        device.limits[name] = static_cast<std::uint64_t>(value);
    };
    limit("max_mr_size", attr.max_mr_size);
    limit("page_size_cap", attr.page_size_cap);
    limit("max_qp", attr.max_qp);
    limit("max_qp_wr", attr.max_qp_wr);
    limit("device_cap_flags", attr.device_cap_flags);
    limit("max_sge", attr.max_sge);
    limit("max_sge_rd", attr.max_sge_rd);
    limit("max_cq", attr.max_cq);
    limit("max_cqe", attr.max_cqe);
    limit("max_mr", attr.max_mr);
    limit("max_pd", attr.max_pd);
    limit("max_qp_rd_atom", attr.max_qp_rd_atom);
    limit("max_ee_rd_atom", attr.max_ee_rd_atom);
    limit("max_res_rd_atom", attr.max_res_rd_atom);
    limit("max_qp_init_rd_atom", attr.max_qp_init_rd_atom);
    limit("max_ee_init_rd_atom", attr.max_ee_init_rd_atom);
    limit("atomic_cap", static_cast<unsigned>(attr.atomic_cap));
    limit("max_ee", attr.max_ee);
    limit("max_rdd", attr.max_rdd);
    limit("max_mw", attr.max_mw);
    limit("max_raw_ipv6_qp", attr.max_raw_ipv6_qp);
    limit("max_raw_ethy_qp", attr.max_raw_ethy_qp);
    limit("max_mcast_grp", attr.max_mcast_grp);
    limit("max_mcast_qp_attach", attr.max_mcast_qp_attach);
    limit("max_total_mcast_qp_attach", attr.max_total_mcast_qp_attach);
    limit("max_ah", attr.max_ah);
    limit("max_fmr", attr.max_fmr);
    limit("max_map_per_fmr", attr.max_map_per_fmr);
    limit("max_srq", attr.max_srq);
    limit("max_srq_wr", attr.max_srq_wr);
    limit("max_srq_sge", attr.max_srq_sge);
    limit("max_pkeys", attr.max_pkeys);
    limit("local_ca_ack_delay", attr.local_ca_ack_delay);
    limit("phys_port_cnt", attr.phys_port_cnt);
    limit("num_comp_vectors", completion_vectors);

    limit("general_odp_caps", extended.odp_caps.general_caps);
    limit("rc_odp_caps", extended.odp_caps.per_transport_caps.rc_odp_caps);
    limit("uc_odp_caps", extended.odp_caps.per_transport_caps.uc_odp_caps);
    limit("ud_odp_caps", extended.odp_caps.per_transport_caps.ud_odp_caps);
    limit("xrc_odp_caps", extended.xrc_odp_caps);
    limit("completion_timestamp_mask", extended.completion_timestamp_mask);
    limit("hca_core_clock", extended.hca_core_clock);
    limit("device_cap_flags_ex", extended.device_cap_flags_ex);
    limit("tso_caps.max_tso", extended.tso_caps.max_tso);
    limit("tso_caps.supported_qp", extended.tso_caps.supported_qpts);
    limit("rss_caps.max_rwq_indirection_tables", extended.rss_caps.max_rwq_indirection_tables);
    limit("rss_caps.max_rwq_indirection_table_size", extended.rss_caps.max_rwq_indirection_table_size);
    limit("rss_caps.rx_hash_function", extended.rss_caps.rx_hash_function);
    limit("rss_caps.rx_hash_fields_mask", extended.rss_caps.rx_hash_fields_mask);
    limit("rss_caps.supported_qp", extended.rss_caps.supported_qpts);
    limit("max_wq_type_rq", extended.max_wq_type_rq);
    limit("packet_pacing_caps.qp_rate_limit_min", extended.packet_pacing_caps.qp_rate_limit_min);
    limit("packet_pacing_caps.qp_rate_limit_max", extended.packet_pacing_caps.qp_rate_limit_max);
    limit("packet_pacing_caps.supported_qp", extended.packet_pacing_caps.supported_qpts);
    limit("raw_packet_caps", extended.raw_packet_caps);
    limit("tag_matching.max_rndv_hdr_size", extended.tm_caps.max_rndv_hdr_size);
    limit("tag_matching.max_num_tags", extended.tm_caps.max_num_tags);
    limit("tag_matching.flags", extended.tm_caps.flags);
    limit("tag_matching.max_ops", extended.tm_caps.max_ops);
    limit("tag_matching.max_sge", extended.tm_caps.max_sge);
    limit("cq_moderation_caps.max_cq_count", extended.cq_mod_caps.max_cq_count);
    limit("cq_moderation_caps.max_cq_period", extended.cq_mod_caps.max_cq_period);
    limit("max_dm_size", extended.max_dm_size);
    limit("pci_atomic_caps.fetch_add", extended.pci_atomic_caps.fetch_add);
    limit("pci_atomic_caps.swap", extended.pci_atomic_caps.swap);
    limit("pci_atomic_caps.compare_swap", extended.pci_atomic_caps.compare_swap);
}

void add_port_attributes(const ibv_port_attr& attr, Port& port) {
    constexpr std::uint32_t has_cap_mask2 = 1u << 15;  // IsCapabilityMask2Supported (IBA 14.2.5.6)
    set_name(port.state, known_word(port_state_words, attr.state));
    set_name(port.phys_state, known_word(phys_state_words, attr.phys_state));
    if (attr.link_layer != IBV_LINK_LAYER_UNSPECIFIED)
        set_name(port.link_layer, attr.link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet" : "InfiniBand");
    const auto set_mtu = [](std::optional<std::uint32_t>& out, unsigned code) {
        if (const std::uint32_t octets = mtu_octets(code); !out && octets) out = octets;
    };
    set_mtu(port.max_mtu, attr.max_mtu);
    set_mtu(port.active_mtu, attr.active_mtu);
    if (port.link_layer != "Ethernet") {
        set(port.lid, attr.lid);
        set(port.lmc, attr.lmc);
        set(port.sm_lid, attr.sm_lid);
        set(port.sm_sl, attr.sm_sl);
    }
    if (const char* width = width_name(attr.active_width)) set_name(port.active_width, width);
    if (const char* speed = speed_name(attr.active_speed)) {
        set_name(port.active_speed, speed);
        if (!port.lane_gbps) port.lane_gbps = lane_gbps(speed);
    }
    set(port.cap_mask, attr.port_cap_flags);
    if (port.cap_flags.empty()) port.cap_flags = port_capability_words(attr.port_cap_flags);
    if (attr.port_cap_flags & has_cap_mask2) set(port.cap_mask2, attr.port_cap_flags2);
    set(port.gid_table_length, std::max(attr.gid_tbl_len, 0));
    set(port.pkey_table_length, attr.pkey_tbl_len);
    set(port.max_msg_sz, attr.max_msg_sz);
    set(port.bad_pkey_counter, attr.bad_pkey_cntr);
    set(port.qkey_violation_counter, attr.qkey_viol_cntr);
    set(port.max_vl_num, attr.max_vl_num);
    set(port.init_type_reply, attr.init_type_reply);
    set(port.subnet_timeout, attr.subnet_timeout);
}

void add_gid_entries(const std::vector<ibv_gid_entry>& entries, const std::vector<Link>& links,
                     RdmaDevice& device) {
    for (const auto& entry : entries) {
        Port* port = device.find_port(entry.port_num);
        if (!port) continue;
        GidEntry gid;
        gid.index = entry.gid_index;
        std::ranges::copy(entry.gid.raw, gid.gid.octets.begin());
        const bool infiniband = port->link_layer != "Ethernet";
        if (gid.index == 0) {
            if (!port->port_guid) port->port_guid = gid.gid.guid();
            if (!port->subnet_prefix && infiniband) port->subnet_prefix = gid.gid.prefix();
        }
        if (gid.gid.is_zero() || (infiniband && gid.gid.guid().is_zero())) continue;
        if (entry.gid_type < std::size(gid_types)) gid.type = gid_types[entry.gid_type];
        if (entry.ndev_ifindex) {
            gid.ifindex = entry.ndev_ifindex;
            const auto link = std::ranges::find(links, entry.ndev_ifindex, &Link::ifindex);
            if (link != links.end()) gid.netdev = link->ifname;
        }
        port->gids.push_back(std::move(gid));
    }
}

}  // namespace pve_rdma
