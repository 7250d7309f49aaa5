#include "operations/mtu_peers.h"

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

Error refused(const std::string& text, std::string message, std::string hint = {}) {
    return {.code = ErrorCode::bad_request,
            .subject = text,
            .message = std::move(message),
            .hint = std::move(hint)};
}

bool is_link_local(const IpAddress& address) {
    return address.is_v6() && address.octets[0] == 0xfe && (address.octets[1] & 0xc0) == 0x80;
}

// ::ffff:192.0.2.1: an IPv4 address in the clothes of IPv6.
bool is_mapped(const IpAddress& address) {
    if (!address.is_v6()) return false;
    for (std::size_t i = 0; i < 10; ++i)
        if (address.octets[i]) return false;
    return address.octets[10] == 0xff && address.octets[11] == 0xff;
}

const Link* find_link(const std::vector<Link>& links, std::string_view scope) {
    const auto index = parse_number<std::uint32_t>(scope);
    for (const auto& link : links)
        if (link.ifname == scope || (index && link.ifindex == *index)) return &link;
    return nullptr;
}

}  // namespace

Result<PeerAddress> peer_address(const std::string& text, const std::vector<Link>& links) {
    const auto percent = text.find('%');
    const auto address = IpAddress::parse(std::string_view(text).substr(0, percent));
    if (!address)
        return std::unexpected(
            refused(text, "an IPv4 or IPv6 address is wanted, not a name",
                    "names are not looked up here: getent hosts NAME tells their addresses"));
    if (address->is_unspecified() || address->is_multicast() || address->text() == "255.255.255.255")
        return std::unexpected(refused(text, "not the address of one peer"));
    if (is_mapped(*address))
        return std::unexpected(refused(text, "an IPv4 address written as IPv6", "write it as 192.0.2.1"));
    PeerAddress peer{.address = *address, .text = address->text()};
    if (percent == std::string::npos) {
        if (is_link_local(*address))
            return std::unexpected(refused(text, "a link-local address is only one together with its link",
                                           fmt::format("write {}%LINK, as {}%vmbr0", text, text)));
        return peer;
    }
    if (!is_link_local(*address))
        return std::unexpected(refused(text, "only a link-local IPv6 address (fe80::) has a link behind it"));
    const std::string scope = text.substr(percent + 1);
    const Link* link = find_link(links, scope);
    if (!link)
        return std::unexpected(refused(text, fmt::format("there is no link {}", scope),
                                       "pve-rdma probe --sections links lists them"));
    peer.ifindex = link->ifindex;
    peer.text += "%" + link->ifname;
    return peer;
}

}  // namespace pve_rdma
