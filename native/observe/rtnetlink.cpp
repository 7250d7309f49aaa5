#include "observe/rtnetlink.h"

#include <algorithm>
#include <utility>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <fmt/format.h>

#include "observe/netlink_dump.h"
#include "observe/route_decode.h"

namespace pve_rdma {

namespace {

// Types of rtnetlink messages come in fours: NEW, DEL, GET, SET.
bool concerns(const NetlinkMessage& event, std::uint16_t new_type) {
    return event.header.nlmsg_type == new_type || event.header.nlmsg_type == new_type + 1;
}

constexpr std::uint32_t group_bit(unsigned group) {
    return 1U << (group - 1);
}

std::uint32_t groups_of(const RtnetlinkParts& parts) {
    std::uint32_t mask = 0;
    if (parts.links) mask |= group_bit(RTNLGRP_LINK);
    if (parts.addresses) mask |= group_bit(RTNLGRP_IPV4_IFADDR) | group_bit(RTNLGRP_IPV6_IFADDR);
    if (parts.routes) mask |= group_bit(RTNLGRP_IPV4_ROUTE) | group_bit(RTNLGRP_IPV6_ROUTE);
    if (parts.rules) mask |= group_bit(RTNLGRP_IPV4_RULE) | group_bit(RTNLGRP_IPV6_RULE);
    return mask;
}

class RtnetlinkReader {
  public:
    explicit RtnetlinkReader(const RtnetlinkParts& parts) : parts_(parts) {}

    Source read(NetlinkTransport& transport, NodeReport& report) {
        std::vector<NetlinkDump> dumps;
        if (parts_.links) {
            dumps.push_back(links());
            dumps.push_back(bridge_vlans());
        }
        if (parts_.addresses) dumps.push_back(addresses());
        if (parts_.routes) dumps.push_back(routes());
        if (parts_.rules) dumps.push_back(rules());

        Source source;
        const auto failures = run_dumps(transport, dumps);
        for (const auto& failure : failures)
            source.unread.push_back(Unread::from(failure.error));
        for (const auto& [what, attributes] : malformed_)
            source.unread.push_back(
                Unread::from({.code = ErrorCode::malformed,
                              .subject = what,
                              .message = fmt::format("malformed attribute {}", attributes)}));
        const auto asked = std::ranges::count_if(
            dumps, [](const NetlinkDump& dump) { return !dump.wanted || dump.wanted(); });
        if (!failures.empty() && std::cmp_equal(failures.size(), asked)) {
            source.unavailable = Source::failed(failures.front().error).unavailable;
            source.text = failures.front().error.text();
        }
        finish(report);
        return source;
    }

  private:
    NetlinkDump links() {
        NetlinkDump dump{.what = "RTM_GETLINK", .request = NetlinkRequest(RTM_GETLINK, NLM_F_DUMP)};
        dump.request.header(ifinfomsg{}).number(IFLA_EXT_MASK, RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS);
        dump.start_over = [this] {
            links_.clear();
            malformed_.clear();
            any_bridge_ = false;
        };
        dump.message = [this](const NetlinkMessage& message) {
            if (message.header.nlmsg_type != RTM_NEWLINK) return;
            auto& link = links_.emplace_back();
            if (const auto bad = decode_link(message, link)) note("RTM_NEWLINK " + link.ifname, *bad);
            any_bridge_ |= link.bridge.has_value() || link.bridge_port.has_value();
        };
        dump.stale_by = [](const NetlinkMessage& event) { return concerns(event, RTM_NEWLINK); };
        return dump;
    }

    NetlinkDump bridge_vlans() {
        NetlinkDump dump{.what = "RTM_GETLINK AF_BRIDGE", .request = NetlinkRequest(RTM_GETLINK, NLM_F_DUMP)};
        ifinfomsg header{};
        header.ifi_family = AF_BRIDGE;
        dump.request.header(header).number(IFLA_EXT_MASK, RTEXT_FILTER_BRVLAN_COMPRESSED);
        dump.start_over = [this] { vlans_.clear(); };
        dump.wanted = [this] { return any_bridge_; };
        dump.message = [this](const NetlinkMessage& message) {
            if (message.header.nlmsg_type != RTM_NEWLINK) return;
            const auto link = message.start<ifinfomsg>();
            const auto af_spec = find_attribute(message.behind(sizeof link), IFLA_AF_SPEC);
            if (!af_spec) return;
            auto& [ifindex, vlans] = vlans_.emplace_back();
            ifindex = static_cast<std::uint32_t>(link.ifi_index);
            if (const auto bad = decode_bridge_vlans(*af_spec, vlans))
                note(fmt::format("RTM_NEWLINK AF_BRIDGE {}", ifindex), *bad);
        };
        dump.stale_by = [](const NetlinkMessage& event) { return concerns(event, RTM_NEWLINK); };
        return dump;
    }

    NetlinkDump addresses() {
        NetlinkDump dump{.what = "RTM_GETADDR", .request = NetlinkRequest(RTM_GETADDR, NLM_F_DUMP)};
        dump.request.header(ifaddrmsg{});
        dump.start_over = [this] { addresses_.clear(); };
        dump.message = [this](const NetlinkMessage& message) {
            if (message.header.nlmsg_type != RTM_NEWADDR) return;
            const auto family = message.start<ifaddrmsg>().ifa_family;
            if (family != AF_INET && family != AF_INET6) return;
            auto& address = addresses_.emplace_back();
            if (const auto bad = decode_address(message, address)) note("RTM_NEWADDR", *bad);
        };
        dump.stale_by = [](const NetlinkMessage& event) { return concerns(event, RTM_NEWADDR); };
        return dump;
    }

    NetlinkDump routes() {
        NetlinkDump dump{.what = "RTM_GETROUTE", .request = NetlinkRequest(RTM_GETROUTE, NLM_F_DUMP)};
        dump.request.header(rtmsg{});
        dump.start_over = [this] {
            routes_.clear();
            if (parts_.route_taker) parts_.route_taker->start_over();
        };
        dump.message = [this](const NetlinkMessage& message) {
            if (message.header.nlmsg_type != RTM_NEWROUTE) return;
            const auto header = message.start<rtmsg>();
            if (header.rtm_family != AF_INET && header.rtm_family != AF_INET6) return;
            if (header.rtm_flags & RTM_F_CLONED) return;
            if (!parts_.local_table && header.rtm_table == RT_TABLE_LOCAL) return;
            if (parts_.route_taker) return parts_.route_taker->message(message);
            auto& route = routes_.emplace_back();
            if (const auto bad = decode_route(message, route)) note("RTM_NEWROUTE", *bad);
        };
        dump.stale_by = [](const NetlinkMessage& event) {
            return concerns(event, RTM_NEWROUTE) && !(event.start<rtmsg>().rtm_flags & RTM_F_CLONED);
        };
        return dump;
    }

    NetlinkDump rules() {
        NetlinkDump dump{.what = "RTM_GETRULE", .request = NetlinkRequest(RTM_GETRULE, NLM_F_DUMP)};
        dump.request.header(rtmsg{});
        dump.start_over = [this] { rules_.clear(); };
        dump.message = [this](const NetlinkMessage& message) {
            if (message.header.nlmsg_type != RTM_NEWRULE) return;
            const auto family = message.start<rtmsg>().rtm_family;
            if (family != AF_INET && family != AF_INET6) return;
            auto& rule = rules_.emplace_back();
            if (const auto bad = decode_rule(message, rule)) note("RTM_NEWRULE", *bad);
        };
        dump.stale_by = [](const NetlinkMessage& event) { return concerns(event, RTM_NEWRULE); };
        return dump;
    }

    void note(const std::string& what, std::uint16_t attribute) {
        if (malformed_.size() < 100) malformed_.emplace_back(what, attribute);
    }

    // Joins what the dumps gave and hands it over.
    void finish(NodeReport& report) {
        if (parts_.links) {
            std::ranges::sort(links_, {}, &Link::ifindex);
            for (auto& [ifindex, vlans] : vlans_) {
                const auto link = std::ranges::lower_bound(links_, ifindex, {}, &Link::ifindex);
                if (link != links_.end() && link->ifindex == ifindex) link->bridge_vlans = std::move(vlans);
            }
            resolve_names(links_);
            report.links = std::move(links_);
        }
        const LinkNames names(report.links);
        if (parts_.addresses) {
            for (auto& address : addresses_)
                address.ifname = names.name(address.ifindex);
            report.addresses = std::move(addresses_);
        }
        if (parts_.routes) {
            for (auto& route : routes_)
                resolve_route(route, names);
            report.routes = std::move(routes_);
        }
        if (parts_.rules) report.rules = std::move(rules_);
    }

    RtnetlinkParts parts_;
    std::vector<Link> links_;
    std::vector<std::pair<std::uint32_t, std::vector<BridgeVlan>>> vlans_;
    std::vector<Address> addresses_;
    std::vector<Route> routes_;
    std::vector<Rule> rules_;
    std::vector<std::pair<std::string, std::uint16_t>> malformed_;
    bool any_bridge_ = false;
};

}  // namespace

Source read_rtnetlink(NetlinkTransport& transport, NodeReport& report, const RtnetlinkParts& parts) {
    return RtnetlinkReader(parts).read(transport, report);
}

void observe_rtnetlink(const Machine& machine, NodeReport& report, const RtnetlinkParts& parts) {
    auto& source = report.sources["rtnetlink"];
    if (!machine.live()) {
        source = recorded_source();
        return;
    }
    const auto transport = open_netlink(NETLINK_ROUTE, "rtnetlink", groups_of(parts));
    source = transport ? read_rtnetlink(**transport, report, parts) : Source::failed(transport.error());
}

}  // namespace pve_rdma
