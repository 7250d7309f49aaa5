// Words for numbers of rtnetlink that several decoders share. A number without a word is written as a number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma {

std::string link_type_word(std::uint16_t type);                 // ARPHRD_*: "ether"
std::vector<std::string> link_flag_words(std::uint32_t flags);  // IFF_*, as `ip link`
std::string table_word(std::uint32_t table);                    // "main", "local", "default"
std::string scope_word(std::uint8_t scope);                     // "global", "link"
std::string route_protocol_word(std::uint8_t protocol);         // "kernel", "static"
std::string route_type_word(std::uint8_t type);                 // "unicast", "blackhole"
std::string group_word(std::uint32_t group);                    // "default"
std::string traffic_class_word(std::uint8_t tos);               // "0x10"
std::string ip_protocol_word(std::uint8_t protocol);            // "tcp"
std::string encap_word(std::uint16_t type);                     // "mpls"
// The other way; a number that is written as one counts too.
std::optional<std::uint32_t> table_number(std::string_view);
std::optional<std::uint8_t> scope_number(std::string_view);
std::optional<std::uint8_t> route_protocol_number(std::string_view);
std::optional<std::uint8_t> route_type_number(std::string_view);
inline std::string family_word(bool v6) {
    return v6 ? "inet6" : "inet";
}

}  // namespace pve_rdma
