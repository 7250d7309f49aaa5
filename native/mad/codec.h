// Attributes of management datagrams to facts: pure functions. The layout of each stands in its struct's
// wire() (facts/smp.h, port_info.h, sa.h, pma.h); what is done here is to say the codes in words and units.
// Any octets decode: whatever a broken device sends becomes a fact, not a fault.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "facts/fabric.h"
#include "mad/bits.h"

namespace pve_rdma {

using SmpData = std::span<const std::uint8_t, 64>;
using PmaData = std::span<const std::uint8_t, 192>;
using SaData = std::span<const std::uint8_t, 200>;

SmInfo decode_sm_info(SmpData, std::uint32_t lid);
NodeInfo decode_node_info(SmpData);
SwitchInfo decode_switch_info(SmpData);
MellanoxExtPortInfo decode_mellanox_ext_port_info(SmpData);
// Octets up to the first 0; what is not printable UTF-8 (the fabric guarantees nothing) becomes U+FFFD.
std::string decode_node_description(SmpData);

// LinkSpeedExt* count when CapabilityMask says so, or when it is 0: the ports of a switch other than port 0
// carry no mask.
PortInfo decode_port_info(SmpData);
// The same without words, for callers that read thousands.
PortInfo decode_port_info_codes(SmpData);
bool extended_speeds_valid(const PortInfo&);
std::string active_speed(const PortInfo&);
// Puts FDR10 where PortInfo, which has no code for it, says QDR.
void apply_fdr10(PortInfo&, const MellanoxExtPortInfo&);

// Blocks of 32 P_Keys and of 8 GUIDs; appended.
void decode_pkey_block(SmpData, std::vector<PKey>& out);
void decode_guid_block(SmpData, std::vector<Guid>& out);

PathRecord decode_path_record(SaData);
McMemberRecord decode_mc_member_record(SaData);
// SMInfoRecord (IBA 15.2.5.4): LID, two reserved octets, SMInfo. At least sm_info_record_octets.
inline constexpr std::size_t sm_info_record_octets = 25;
SmInfo decode_sm_info_record(std::span<const std::uint8_t>);

ClassPortInfo decode_class_port_info(std::span<const std::uint8_t>);  // at least 72 octets
PortCounters decode_port_counters(PmaData);
PortCountersExtended decode_port_counters_extended(PmaData);

}  // namespace pve_rdma
