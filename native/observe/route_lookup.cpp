#include "observe/route_lookup.h"

#include <array>
#include <cerrno>
#include <cstdlib>

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "observe/netlink_dump.h"
#include "observe/route_decode.h"

namespace pve_rdma {

namespace {

Error no_route(const IpAddress& address, Error error, std::string_view type = {}) {
    error.subject = address.text();
    if (type == "broadcast" || type == "multicast")
        error = {.code = ErrorCode::bad_request,
                 .subject = address.text(),
                 .message = fmt::format("a {} address, not that of a peer", type)};
    else if (error.errno_value == ENETUNREACH || error.errno_value == EHOSTUNREACH)
        error.message = "no route leads there";
    else if (error.errno_value == EINVAL && error.kernel_text.empty())
        error.message = "its route throws packets away (blackhole)";
    else if (error.errno_value == EACCES)
        error.message = "its route prohibits it";
    else
        error.message = "the kernel names no route";
    if (error.errno_value == ENETUNREACH) error.hint = "check the address, or give its network a route";
    return error;
}

}  // namespace

Result<Route> route_to(NetlinkTransport& transport, std::span<const Link> links, const IpAddress& address,
                       std::uint32_t ifindex) {
    NetlinkRequest request(RTM_GETROUTE, 0);
    rtmsg header{};
    header.rtm_family = address.is_v6() ? AF_INET6 : AF_INET;
    header.rtm_dst_len = static_cast<unsigned char>(address.length * 8);
    // IPv6 names the table anyway, and refuses the flag.
    if (!address.is_v6()) header.rtm_flags = RTM_F_LOOKUP_TABLE;
    request.header(header);
    if (address.is_v6())
        request.bytes_of(RTA_DST, address.octets);
    else
        request.bytes_of(
            RTA_DST, std::array{address.octets[0], address.octets[1], address.octets[2], address.octets[3]});
    if (ifindex) request.number(RTA_OIF, ifindex);

    std::optional<Route> route;
    const auto answered = ask(transport, address.text(), request, [&](const NetlinkMessage& message) {
        if (message.header.nlmsg_type != RTM_NEWROUTE) return;
        route.emplace();
        decode_route(message, *route);
    });
    if (!answered) return std::unexpected(no_route(address, answered.error()));
    if (!route)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = address.text(),
                                     .message = "the kernel answered with something else than a route"});
    // IPv6 answers with a route that says no.
    if (route->error || route->type == "broadcast" || route->type == "multicast") {
        const auto error = static_cast<std::int32_t>(route->error.value_or(EINVAL));
        return std::unexpected(
            no_route(address, errno_error(std::abs(error), address.text(), ""), route->type));
    }
    resolve_route(*route, LinkNames(links));
    return *route;
}

}  // namespace pve_rdma
