#include "mad/codec.h"

#include <algorithm>

#include <fmt/format.h>

#include "facts/rdma_words.h"
#include "mad/words.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr std::uint32_t extended_speeds_bit = 1u << 14;
constexpr std::uint32_t all_widths = 255, all_speeds = 15, all_extended_speeds = 31;

std::string first_word(std::vector<std::string> words, std::uint32_t code) {
    return words.size() == 1 ? words.front() : fmt::format("code {}", code);
}

}  // namespace

SmInfo decode_sm_info(SmpData octets, std::uint32_t lid) {
    auto info = read_wire<SmInfo>(octets);
    info.lid = lid;
    info.state = sm_state_word(info.state_code);
    return info;
}

NodeInfo decode_node_info(SmpData octets) {
    auto info = read_wire<NodeInfo>(octets);
    info.type = node_type_word(info.type_code);
    return info;
}

SwitchInfo decode_switch_info(SmpData octets) {
    return read_wire<SwitchInfo>(octets);
}

MellanoxExtPortInfo decode_mellanox_ext_port_info(SmpData octets) {
    return read_wire<MellanoxExtPortInfo>(octets);
}

std::string decode_node_description(SmpData octets) {
    return printable(std::string(octets.begin(), std::ranges::find(octets, std::uint8_t{0})));
}

bool extended_speeds_valid(const PortInfo& info) {
    return info.cap_mask & extended_speeds_bit || info.cap_mask == 0;
}

std::string active_speed(const PortInfo& info) {
    if (info.link_speed_ext_active && extended_speeds_valid(info))
        return first_word(speed_words(0, info.link_speed_ext_active), info.link_speed_ext_active);
    return first_word(speed_words(info.link_speed_active, 0), info.link_speed_active);
}

PortInfo decode_port_info_codes(SmpData octets) {
    return read_wire<PortInfo>(octets);
}

PortInfo decode_port_info(SmpData octets) {
    auto info = read_wire<PortInfo>(octets);
    const bool extended = extended_speeds_valid(info);
    info.state = port_state_word(info.state_code);
    info.phys_state = phys_state_word(info.phys_state_code);
    info.link_down_default = phys_state_word(info.link_down_default_code);
    info.width = first_word(width_words(info.link_width_active), info.link_width_active);
    info.speed = active_speed(info);
    info.widths_supported = width_words(info.link_width_supported);
    info.speeds_supported =
        speed_words(info.link_speed_supported, extended ? info.link_speed_ext_supported : 0);
    // "All bits" means: whatever is supported.
    info.widths_enabled =
        info.link_width_enabled == all_widths ? info.widths_supported : width_words(info.link_width_enabled);
    const auto enabled =
        info.link_speed_enabled == all_speeds ? info.link_speed_supported : info.link_speed_enabled;
    auto extended_enabled = info.link_speed_ext_enabled == all_extended_speeds ? info.link_speed_ext_supported
                                                                               : info.link_speed_ext_enabled;
    info.speeds_enabled = speed_words(enabled, extended ? extended_enabled : 0);
    info.neighbor_mtu = mtu_octets(info.neighbor_mtu_code);
    info.mtu_cap = mtu_octets(info.mtu_cap_code);
    info.vl_cap = vl_word(info.vl_cap_code);
    info.oper_vls = vl_word(info.oper_vls_code);
    info.capabilities = port_capability_words(info.cap_mask);
    return info;
}

void apply_fdr10(PortInfo& info, const MellanoxExtPortInfo& ext) {
    const auto insert = [](std::vector<std::string>& words) {
        const auto place = std::ranges::find_if(
            words, [](const auto& word) { return speed_rank(word) > speed_rank("FDR10"); });
        words.insert(place, "FDR10");
    };
    if (ext.link_speed_supported & 1) insert(info.speeds_supported);
    if (ext.link_speed_enabled & 1) insert(info.speeds_enabled);
    if (ext.link_speed_active & 1 && info.speed == "QDR") info.speed = "FDR10";
}

void decode_pkey_block(SmpData octets, std::vector<PKey>& out) {
    for (unsigned i = 0; i < 32; ++i)
        out.push_back(PKey{static_cast<std::uint16_t>(read_bits(octets, i * 16, 16))});
}

void decode_guid_block(SmpData octets, std::vector<Guid>& out) {
    for (unsigned i = 0; i < 8; ++i)
        out.push_back(Guid{read_bits(octets, i * 64, 64)});
}

PathRecord decode_path_record(SaData octets) {
    auto record = read_wire<PathRecord>(octets);
    record.mtu = mtu_octets(record.mtu_code);
    record.rate_gbps = rate_gbps(record.rate_code);
    return record;
}

McMemberRecord decode_mc_member_record(SaData octets) {
    auto record = read_wire<McMemberRecord>(octets);
    record.mtu = mtu_octets(record.mtu_code);
    record.rate_gbps = rate_gbps(record.rate_code);
    return record;
}

SmInfo decode_sm_info_record(std::span<const std::uint8_t> octets) {
    auto info = read_wire<SmInfo>(octets.subspan(4));
    info.lid = static_cast<std::uint32_t>(read_bits(octets, 0, 16));
    info.state = sm_state_word(info.state_code);
    return info;
}

ClassPortInfo decode_class_port_info(std::span<const std::uint8_t> octets) {
    return read_wire<ClassPortInfo>(octets);
}

PortCounters decode_port_counters(PmaData octets) {
    return read_wire<PortCounters>(octets);
}

PortCountersExtended decode_port_counters_extended(PmaData octets) {
    return read_wire<PortCountersExtended>(octets);
}

}  // namespace pve_rdma
