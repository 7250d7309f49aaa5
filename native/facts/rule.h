// Policy rules. Names and values are those of `ip -j rule` of one family.
// Source: struct fib_rule_hdr and FRA_* (linux/fib_rules.h).
#pragma once

#include "base/describe.h"
#include "facts/ip_address.h"

namespace pve_rdma {

struct Rule {
    std::string family{};  // inet, inet6
    std::uint32_t priority = 0;
    std::optional<bool> not_{};             // the rule matches what its selector does not
    std::string src{};                      // all, or an address with srclen
    std::optional<std::uint32_t> srclen{};  // left out when the whole address counts
    std::optional<std::string> dst{};
    std::optional<std::uint32_t> dstlen{};
    std::optional<std::string> tos{};
    std::optional<std::string> fwmark{};  // 0x1
    std::optional<std::string> fwmask{};
    std::optional<std::string> iif{};
    std::optional<bool> iif_detached{};
    std::optional<std::string> oif{};
    std::optional<bool> oif_detached{};
    std::optional<bool> l3mdev{};
    std::optional<std::uint32_t> uid_start{};
    std::optional<std::uint32_t> uid_end{};
    std::optional<std::string> ipproto{};
    std::optional<std::uint32_t> sport{};
    std::optional<std::uint32_t> sport_start{};
    std::optional<std::uint32_t> sport_end{};
    std::optional<std::uint32_t> dport{};
    std::optional<std::uint32_t> dport_start{};
    std::optional<std::uint32_t> dport_end{};
    std::optional<std::uint64_t> tun_id{};
    std::optional<std::string> table{};  // local, main, default, or a number
    std::optional<std::int32_t> suppress_prefixlen{};
    std::optional<std::string> suppress_ifgroup{};
    std::optional<std::string> flow_from{};  // realm
    std::optional<std::string> flow_to{};
    std::optional<std::uint32_t> goto_{};
    std::optional<bool> unresolved{};
    std::optional<bool> nop{};
    std::optional<std::string> action{};  // blackhole, unreachable, prohibit
    std::optional<std::string> protocol{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("family", self.family);
        visit("priority", self.priority);
        visit("not", self.not_);
        visit("src", self.src);
        visit("srclen", self.srclen);
        visit("dst", self.dst);
        visit("dstlen", self.dstlen);
        visit("tos", self.tos);
        visit("fwmark", self.fwmark);
        visit("fwmask", self.fwmask);
        visit("iif", self.iif);
        visit("iif_detached", self.iif_detached);
        visit("oif", self.oif);
        visit("oif_detached", self.oif_detached);
        visit("l3mdev", self.l3mdev);
        visit("uid_start", self.uid_start);
        visit("uid_end", self.uid_end);
        visit("ipproto", self.ipproto);
        visit("sport", self.sport);
        visit("sport_start", self.sport_start);
        visit("sport_end", self.sport_end);
        visit("dport", self.dport);
        visit("dport_start", self.dport_start);
        visit("dport_end", self.dport_end);
        visit("tun_id", self.tun_id);
        visit("table", self.table);
        visit("suppress_prefixlen", self.suppress_prefixlen);
        visit("suppress_ifgroup", self.suppress_ifgroup);
        visit("flow_from", self.flow_from);
        visit("flow_to", self.flow_to);
        visit("goto", self.goto_);
        visit("unresolved", self.unresolved);
        visit("nop", self.nop);
        visit("action", self.action);
        visit("protocol", self.protocol);
    }
    bool operator==(const Rule&) const = default;
};

}  // namespace pve_rdma
