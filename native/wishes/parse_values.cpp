// The values of rdma-route and rdma-rule.
#include <algorithm>

#include "wishes/wishes.h"
#include "wishes/words.h"

namespace pve_rdma::ifup {

namespace {

// The metric that the kernel gives to an IPv6 route which names none; written down so that both sides
// compare.
constexpr std::uint32_t default_metric_v6 = 1024;

bool host_bits(const IpPrefix& prefix) {
    const auto octets = prefix.address.bytes();
    for (std::size_t bit = prefix.length; bit < octets.size() * 8; ++bit)
        if (octets[bit / 8] & (0x80 >> bit % 8)) return true;
    return false;
}

Result<IpPrefix> parse_prefix(std::string_view word) {
    auto prefix = IpPrefix::parse(word);
    if (!prefix) return std::unexpected(Words::bad(word, "is no prefix", "write ADDRESS/LENGTH, or default"));
    if (host_bits(*prefix))
        return std::unexpected(Words::bad(word, "has bits set behind the prefix's length",
                                          "write the network's address, as 192.0.2.0/24"));
    return prefix;
}

Result<IpAddress> parse_address(std::string_view keyword, std::string_view word, bool v6) {
    const auto address = IpAddress::parse(word);
    if (!address) return std::unexpected(Words::bad(keyword, "needs an IP address"));
    if (address->is_v6() != v6)
        return std::unexpected(Words::bad(word, "is of another family than the destination"));
    return *address;
}

Result<std::uint32_t> parse_table(std::string_view word) {
    if (word == "main") return main_table;
    const auto table = parse_number<std::uint32_t>(word);
    if (!table || *table == 0)
        return std::unexpected(Words::bad("table", "needs a number, or main",
                                          "names of /etc/iproute2/rt_tables are not looked up"));
    return *table;
}

}  // namespace

bool interface_name(std::string_view name) {
    return !name.empty() && name.size() <= 15 && name != "." && name != ".." &&
           std::ranges::none_of(name, [](unsigned char c) { return c <= ' ' || c == '/' || c == 0x7f; });
}

Result<RouteEntry> parse_route(std::string_view value) {
    Words words(value);
    RouteEntry route;
    const auto destination = words.next();
    const auto to = parse_prefix(destination);
    if (!to) return std::unexpected(to.error());
    route.to = *to;
    route.v6 = to->address.is_v6();
    std::optional<std::string_view> via, source;
    for (auto word = words.next(); !word.empty(); word = words.next()) {
        if (word == "onlink") {
            route.onlink = true;
        } else if (word == "via" || word == "src" || word == "table") {
            const auto text = words.value_of(word);
            if (!text) return std::unexpected(text.error());
            if (word == "table") {
                const auto table = parse_table(*text);
                if (!table) return std::unexpected(table.error());
                route.table = *table;
            } else {
                (word == "via" ? via : source) = *text;
            }
        } else if (word == "metric" || word == "mtu") {
            const auto number = words.number_of(word);
            if (!number) return std::unexpected(number.error());
            (word == "metric" ? route.metric : route.mtu) = *number;
        } else {
            return std::unexpected(Words::bad(word, "is no word of rdma-route",
                                              "via, metric, table, src, mtu, onlink; the interface is the "
                                              "stanza's own"));
        }
    }
    // "default" does not say its family; its gateway does.
    if (destination == "default" && via) route.v6 = via->find(':') != via->npos;
    if (via) {
        const auto address = parse_address("via", *via, route.v6);
        if (!address) return std::unexpected(address.error());
        route.via = *address;
    }
    if (source) {
        const auto address = parse_address("src", *source, route.v6);
        if (!address) return std::unexpected(address.error());
        route.source = *address;
    }
    if (route.onlink && !route.via)
        return std::unexpected(Words::bad("onlink", "is of a gateway: needs via"));
    if (route.v6 && !route.metric) route.metric = default_metric_v6;
    return route;
}

Result<RuleEntry> parse_rule(std::string_view value) {
    Words words(value);
    RuleEntry rule;
    bool prioritized = false;
    for (auto word = words.next(); !word.empty(); word = words.next()) {
        if (word == "inet" || word == "inet6") {
            rule.v6 = word == "inet6";
            continue;
        }
        if (word == "priority") {
            const auto number = words.number_of(word);
            if (!number) return std::unexpected(number.error());
            rule.priority = *number;
            prioritized = true;
            continue;
        }
        const auto text = words.value_of(word);
        if (!text) return std::unexpected(text.error());
        if (word == "from" || word == "to") {
            const auto prefix = parse_prefix(*text);
            if (!prefix) return std::unexpected(prefix.error());
            (word == "from" ? rule.from : rule.to) = *prefix;
        } else if (word == "iif" || word == "oif") {
            if (!interface_name(*text)) return std::unexpected(Words::bad(word, "needs an interface's name"));
            (word == "iif" ? rule.iif : rule.oif) = *text;
        } else if (word == "fwmark") {
            const auto slash = text->find('/');
            const auto mark = parse_number<std::uint32_t>(text->substr(0, slash), 0);
            const auto mask = slash == text->npos ? std::optional<std::uint32_t>{0xffffffff}
                                                  : parse_number<std::uint32_t>(text->substr(slash + 1), 0);
            if (!mark || !mask || !*mask) return std::unexpected(Words::bad(word, "needs N or N/MASK"));
            rule.mark = *mark & *mask;
            rule.mask = *mask;
        } else if (word == "table") {
            const auto table = parse_table(*text);
            if (!table) return std::unexpected(table.error());
            rule.table = *table;
        } else {
            return std::unexpected(Words::bad(word, "is no word of rdma-rule",
                                              "inet6, from, to, iif, oif, fwmark, priority, table"));
        }
    }
    if (!rule.table || !prioritized)
        return std::unexpected(
            Words::bad("rdma-rule", "needs priority and table", "as: from 192.0.2.5 priority 100 table 40"));
    for (auto* prefix : {&rule.from, &rule.to}) {
        if (!*prefix) continue;
        if ((*prefix)->is_default())
            prefix->reset();  // every address: as if it were not there
        else if ((*prefix)->address.is_v6())
            rule.v6 = true;
    }
    for (const auto& prefix : {rule.from, rule.to})
        if (prefix && prefix->address.is_v6() != rule.v6)
            return std::unexpected(Words::bad("rdma-rule", "mixes IPv4 and IPv6"));
    return rule;
}

}  // namespace pve_rdma::ifup
