#include "mad/mad.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

constexpr std::size_t sa_component_mask_bit = 48 * 8;
constexpr std::size_t directed_path_octet = 128;

const char* attribute_name(MadClass management_class, std::uint16_t id) {
    if (id == attribute::class_port_info) return "ClassPortInfo";
    if (management_class == MadClass::administration) {
        switch (id) {
            case attribute::sm_info_record:
                return "SMInfoRecord";
            case attribute::path_record:
                return "PathRecord";
            case attribute::mc_member_record:
                return "MCMemberRecord";
            default:
                return nullptr;
        }
    }
    if (management_class == MadClass::performance) {
        switch (id) {
            case attribute::port_counters:
                return "PortCounters";
            case attribute::port_counters_extended:
                return "PortCountersExtended";
            default:
                return nullptr;
        }
    }
    switch (id) {
        case attribute::node_description:
            return "NodeDescription";
        case attribute::node_info:
            return "NodeInfo";
        case attribute::switch_info:
            return "SwitchInfo";
        case attribute::guid_info:
            return "GUIDInfo";
        case attribute::port_info:
            return "PortInfo";
        case attribute::pkey_table:
            return "P_KeyTable";
        case attribute::sm_info:
            return "SMInfo";
        case attribute::mellanox_ext_port_info:
            return "MellanoxExtPortInfo";
        default:
            return nullptr;
    }
}

const char* class_prefix(MadClass management_class) {
    switch (management_class) {
        case MadClass::administration:
            return "SubnAdm";
        case MadClass::performance:
            return "Performance";
        default:
            return "Subn";
    }
}

}  // namespace

DirectRoute DirectRoute::then(std::uint8_t port) const {
    assert(hops < max_hops);
    DirectRoute longer = *this;
    longer.ports[longer.hops++] = port;
    return longer;
}

std::string DirectRoute::text() const {
    std::string out = "0";
    for (std::size_t i = 0; i < hops; ++i)
        out += fmt::format(",{}", ports[i]);
    return out;
}

std::string MadRequest::destination() const {
    if (management_class == MadClass::subnet_directed) return "direct route " + route.text();
    return fmt::format("LID {}", lid);
}

std::string MadRequest::text() const {
    const char* name = attribute_name(management_class, attribute);
    const bool numbered = management_class != MadClass::administration && modifier;
    return fmt::format("{}{}({}{})", class_prefix(management_class),
                       method == mad_method::get_table ? "GetTable" : "Get",
                       name ? name : fmt::format("attribute 0x{:04x}", attribute),
                       numbered ? fmt::format(" {}", modifier) : "");
}

MadOctets encode_mad(const MadRequest& request, std::uint64_t transaction) {
    MadOctets out{};
    MadHeader header;
    header.base_version = 1;
    header.management_class = static_cast<std::uint8_t>(request.management_class);
    header.class_version = request.management_class == MadClass::administration ? 2 : 1;
    header.method = request.method;
    header.transaction = transaction;
    header.attribute = request.attribute;
    header.modifier = request.modifier;
    if (request.management_class == MadClass::subnet_directed) {
        header.hop_count = request.route.hops;
        // DrSLID and DrDLID are the permissive LID: the whole way is a direct route.
        write_bits(out, 32 * 8, 32, 0xffffffff);
        std::copy_n(request.route.ports.begin(), request.route.hops, out.begin() + directed_path_octet + 1);
    }
    write_wire(header, out);
    if (request.management_class == MadClass::administration)
        write_bits(out, sa_component_mask_bit, 64, request.component_mask);
    const Payload payload = payload_of(request.management_class);
    std::copy_n(request.payload.begin(), payload.size,
                out.begin() + static_cast<std::ptrdiff_t>(payload.offset));
    return out;
}

bool answers(const MadHeader& reply, const MadRequest& request) {
    return reply.base_version == 1 &&
           reply.management_class == static_cast<std::uint8_t>(request.management_class) &&
           reply.method == (request.method | mad_method::response) && reply.attribute == request.attribute;
}

std::string status_words(MadClass management_class, std::uint16_t status) {
    static constexpr const char* sa_words[] = {nullptr,
                                               "NO_RESOURCES",
                                               "REQ_INVALID",
                                               "NO_RECORDS",
                                               "TOO_MANY_RECORDS",
                                               "REQ_INVALID_GID",
                                               "REQ_INSUFFICIENT_COMPONENTS",
                                               "REQ_DENIED",
                                               "PRIORITY_SUGGESTED"};
    static constexpr const char* common_words[] = {nullptr,
                                                   "BAD_BASE_OR_CLASS_VERSION",
                                                   "METHOD_NOT_SUPPORTED",
                                                   "METHOD_ATTRIBUTE_NOT_SUPPORTED",
                                                   nullptr,
                                                   nullptr,
                                                   nullptr,
                                                   "INVALID_ATTRIBUTE_VALUE"};
    std::string out;
    const auto add = [&](const char* word) {
        if (!word) return;
        if (!out.empty()) out += ' ';
        out += word;
    };
    if (status & 1) add("BUSY");
    if (status & 2) add("REDIRECT");
    add(common_words[status >> 2 & 7]);
    const unsigned special = status >> 8;
    if (management_class == MadClass::administration && special < std::size(sa_words)) add(sa_words[special]);
    if (status && out.empty()) out = "a status of its own";
    return out;
}

Error status_error(const MadRequest& request, std::uint16_t status) {
    Error error{.code = ErrorCode::machine,
                .subject = request.destination(),
                .message = fmt::format("{} was refused: status 0x{:04x}, {}", request.text(), status,
                                       status_words(request.management_class, status))};
    const bool sa = request.management_class == MadClass::administration;
    if (sa && status == 0x0300) {
        error.code = ErrorCode::not_found;
        error.message = fmt::format("{}: the subnet administration has no such record", request.text());
    }
    if (!sa && (status >> 2 & 7) == 3) error.code = ErrorCode::unavailable;
    return error;
}

}  // namespace pve_rdma
