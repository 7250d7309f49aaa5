// Random octets through each codec and through libibmad: every field agrees. The seed is printed; set
// PVE_RDMA_SEED to repeat a run.
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "mad/codec.h"
#include "oracle.h"

namespace pve_rdma {
namespace {

using test::OracleFields;

constexpr int rounds = 1000;

std::uint32_t seed() {
    static const std::uint32_t value = [] {
        const char* wanted = std::getenv("PVE_RDMA_SEED");
        const auto chosen =
            wanted ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 0)) : std::random_device{}();
        std::cout << "PVE_RDMA_SEED=" << chosen << "\n";
        return chosen;
    }();
    return value;
}

template <class M>
bool equal(const std::uint8_t* octets, MAD_FIELDS field, const M& ours) {
    auto* const theirs = const_cast<std::uint8_t*>(octets);  // libibmad does not write
    if constexpr (Optional<M>) {
        return ours && equal(octets, field, *ours);
    } else if constexpr (std::is_same_v<M, Gid>) {
        Gid gid;
        mad_decode_field(theirs, field, gid.octets.data());
        return gid == ours;
    } else if constexpr (std::is_same_v<M, Guid>) {
        return mad_get_field64(theirs, 0, field) == ours.value;
    } else if constexpr (std::is_same_v<M, PKey>) {
        return mad_get_field(theirs, 0, field) == ours.value;
    } else if constexpr (sizeof(M) == 8) {
        return mad_get_field64(theirs, 0, field) == ours;
    } else {
        return mad_get_field(theirs, 0, field) == ours;
    }
}

// `without` names the fields that libibmad does not know; every other must be in the table, and the other way
// round.
template <class T, class Decode>
void agree(const OracleFields& fields, Decode decode, std::set<std::string> without = {}) {
    std::set<std::string> known;
    T::wire([&](const char* name, auto, unsigned, unsigned) { known.insert(name); });
    for (const auto& [name, field] : fields)
        EXPECT_TRUE(known.contains(name)) << name << " is in the oracle's table but not in the codec";

    std::size_t compared = 0;
    std::mt19937 random(seed());
    for (int round = 0; round < rounds; ++round) {
        std::array<std::uint8_t, 256> octets{};
        for (auto& octet : octets)
            octet = static_cast<std::uint8_t>(random());
        const T ours = decode(octets);
        T::wire([&](const char* name, auto member, unsigned, unsigned) {
            const auto found = fields.find(name);
            if (found == fields.end()) {
                EXPECT_TRUE(without.contains(name)) << name << " is compared with nothing";
                return;
            }
            ++compared;
            EXPECT_TRUE(equal(octets.data(), found->second, ours.*member)) << name << ", round " << round;
        });
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(compared, rounds * fields.size());
}

template <std::size_t N>
std::span<const std::uint8_t, N> front(const std::array<std::uint8_t, 256>& octets) {
    return std::span(octets).template first<N>();
}

TEST(CodecsAgreeWithLibibmad, PortInfo) {
    agree<PortInfo>(test::port_info_fields, [](const auto& o) { return decode_port_info(front<64>(o)); });
}
TEST(CodecsAgreeWithLibibmad, NodeInfo) {
    agree<NodeInfo>(test::node_info_fields, [](const auto& o) { return decode_node_info(front<64>(o)); });
}
TEST(CodecsAgreeWithLibibmad, SwitchInfo) {
    agree<SwitchInfo>(test::switch_info_fields,
                      [](const auto& o) { return decode_switch_info(front<64>(o)); });
}
TEST(CodecsAgreeWithLibibmad, MellanoxExtPortInfo) {
    agree<MellanoxExtPortInfo>(test::mellanox_ext_fields,
                               [](const auto& o) { return decode_mellanox_ext_port_info(front<64>(o)); });
}
TEST(CodecsAgreeWithLibibmad, SMInfo) {
    agree<SmInfo>(test::sm_info_fields, [](const auto& o) { return decode_sm_info(front<64>(o), 1); });
}
TEST(CodecsAgreeWithLibibmad, PathRecord) {
    agree<PathRecord>(test::path_record_fields,
                      [](const auto& o) { return decode_path_record(front<200>(o)); },
                      {"service_id", "raw_traffic", "flow_label", "hop_limit", "traffic_class", "reversible",
                       "pkey", "qos_class", "mtu_selector", "mtu_code", "rate_selector", "rate_code",
                       "packet_life_time_selector", "packet_life_time", "preference"});
}
TEST(CodecsAgreeWithLibibmad, MCMemberRecord) {
    agree<McMemberRecord>(test::mc_member_fields,
                          [](const auto& o) { return decode_mc_member_record(front<200>(o)); },
                          {"mtu_selector", "rate_selector", "packet_life_time_selector", "packet_life_time",
                           "hop_limit", "scope"});
}
TEST(CodecsAgreeWithLibibmad, ClassPortInfo) {
    agree<ClassPortInfo>(test::class_port_info_fields,
                         [](const auto& o) { return decode_class_port_info(o); });
}
// libibmad (of rdma-core 44) reads VL15Dropped's octets for QP1Dropped.
TEST(CodecsAgreeWithLibibmad, PortCounters) {
    agree<PortCounters>(test::port_counters_fields,
                        [](const auto& o) { return decode_port_counters(front<192>(o)); }, {"qp1_dropped"});
}
TEST(CodecsAgreeWithLibibmad, PortCountersExtended) {
    agree<PortCountersExtended>(test::port_counters_extended_fields,
                                [](const auto& o) { return decode_port_counters_extended(front<192>(o)); });
}

TEST(CodecsAgreeWithLibibmad, NodeDescriptionGuidsAndPKeys) {
    std::mt19937 random(seed());
    for (int round = 0; round < rounds; ++round) {
        std::array<std::uint8_t, 256> octets{};
        for (auto& octet : octets)
            octet = static_cast<std::uint8_t>(random());
        std::vector<Guid> guids;
        decode_guid_block(front<64>(octets), guids);
        ASSERT_EQ(guids.size(), 8u);
        for (unsigned i = 0; i < 8; ++i)
            EXPECT_EQ(guids[i].value,
                      mad_get_field64(octets.data(), 0, static_cast<MAD_FIELDS>(IB_GI_GUID0_F + i)));
        // libibmad has no P_KeyTable: 32 big-endian numbers of 16 bits (IBA 14.2.5.7).
        std::vector<PKey> pkeys;
        decode_pkey_block(front<64>(octets), pkeys);
        ASSERT_EQ(pkeys.size(), 32u);
        for (unsigned i = 0; i < 32; ++i)
            EXPECT_EQ(pkeys[i].value, octets[2 * i] << 8 | octets[2 * i + 1]);
    }
    std::array<std::uint8_t, 256> text{};
    std::ranges::copy(std::string_view("pve1 mlx4_0"), text.begin());
    char theirs[65] = {};
    mad_decode_field(text.data(), IB_NODE_DESC_F, theirs);
    EXPECT_EQ(decode_node_description(front<64>(text)), theirs);
}

// Each test above fails unless it compares all its fields in every round.
TEST(CodecsAgreeWithLibibmad, MoreThanHundredThousandComparisons) {
    std::size_t fields = 0;
    for (const auto* table : {&test::port_info_fields, &test::node_info_fields, &test::switch_info_fields,
                              &test::mellanox_ext_fields, &test::sm_info_fields, &test::path_record_fields,
                              &test::mc_member_fields, &test::class_port_info_fields,
                              &test::port_counters_fields, &test::port_counters_extended_fields})
        fields += table->size();
    std::cout << fields * rounds << " comparisons\n";
    EXPECT_GE(fields * rounds, 100'000u);
}

}  // namespace
}  // namespace pve_rdma
