// Management datagrams (IBA vol. 1, 13.4): the header, requests, and what a reply's status means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "mad/bits.h"

namespace pve_rdma {

using MadOctets = std::array<std::uint8_t, 256>;

enum class MadClass : std::uint8_t {
    subnet = 0x01,           // SMPs by LID
    administration = 0x03,   // SA
    performance = 0x04,      // PMA
    subnet_directed = 0x81,  // SMPs by direct route
};

namespace mad_method {
inline constexpr std::uint8_t get = 0x01, set = 0x02, send = 0x03, trap = 0x05, get_table = 0x12,
                              response = 0x80;
}

// Attribute ids; several classes use the same number for different things.
namespace attribute {
inline constexpr std::uint16_t class_port_info = 0x01;
inline constexpr std::uint16_t node_description = 0x10, node_info = 0x11, switch_info = 0x12,
                               guid_info = 0x14, port_info = 0x15, pkey_table = 0x16, sm_info = 0x20,
                               mellanox_ext_port_info = 0xff90;
inline constexpr std::uint16_t port_counters = 0x12, port_counters_extended = 0x1d;                 // PMA
inline constexpr std::uint16_t sm_info_record = 0x18, path_record = 0x35, mc_member_record = 0x38;  // SA
}  // namespace attribute

// The common header, and the fields of the direct route and SA headers that follow it.
struct MadHeader {
    std::uint32_t base_version = 0, management_class = 0, class_version = 0, method = 0, status = 0;
    std::uint32_t hop_pointer = 0, hop_count = 0;  // direct route only
    std::uint64_t transaction = 0;
    std::uint32_t attribute = 0, modifier = 0;

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("base_version", &MadHeader::base_version, 0, 8);
        visit("management_class", &MadHeader::management_class, 8, 8);
        visit("class_version", &MadHeader::class_version, 16, 8);
        visit("method", &MadHeader::method, 24, 8);
        visit("status", &MadHeader::status, 32, 16);  // direct route: the top bit is the direction
        visit("hop_pointer", &MadHeader::hop_pointer, 48, 8);
        visit("hop_count", &MadHeader::hop_count, 56, 8);
        visit("transaction", &MadHeader::transaction, 64, 64);
        visit("attribute", &MadHeader::attribute, 128, 16);
        visit("modifier", &MadHeader::modifier, 160, 32);
    }
};

// Where the attribute stands in a MAD: 64 octets at 64 for SMPs, 192 at 64 for the PMA, 200 at 56 for the SA.
struct Payload {
    std::size_t offset, size;
};
constexpr Payload payload_of(MadClass management_class) {
    switch (management_class) {
        case MadClass::administration:
            return {56, 200};
        case MadClass::performance:
            return {64, 192};
        default:
            return {64, 64};
    }
}

// Ports out of which an SMP leaves, hop by hop, from the local port on (IBA 14.2.2). No hops: the local port.
struct DirectRoute {
    static constexpr std::size_t max_hops = 62;
    std::array<std::uint8_t, max_hops> ports{};
    std::uint8_t hops = 0;

    DirectRoute then(std::uint8_t port) const;  // hops < max_hops
    std::string text() const;                   // "0", "0,1,35": as smpquery -D takes it
    bool operator==(const DirectRoute&) const = default;
};

struct MadRequest {
    MadClass management_class = MadClass::subnet;
    std::uint8_t method = mad_method::get;
    std::uint16_t attribute = 0;
    std::uint32_t modifier = 0;
    std::uint16_t lid = 0;  // unless directed
    std::uint8_t sl = 0;
    DirectRoute route{};               // of subnet_directed
    std::uint64_t component_mask = 0;  // SA
    std::array<std::uint8_t, 200> payload{};

    std::string destination() const;  // "LID 5", "direct route 0,1"
    std::string text() const;         // "SubnGet(PortInfo 3) to LID 5"
};

MadOctets encode_mad(const MadRequest&, std::uint64_t transaction);

// A reply that carries this request's class, method, attribute. The transaction is the caller's to match.
bool answers(const MadHeader& reply, const MadRequest&);

// "NO_RECORDS" for 0x0300 from the SA; "" for 0.
std::string status_words(MadClass, std::uint16_t status);
// The error of a reply whose status is not 0.
Error status_error(const MadRequest&, std::uint16_t status);

}  // namespace pve_rdma
