// Addresses, prefixes and gateways.
#include <map>

#include <fmt/format.h>

#include "eni/address_text.h"
#include "eni/check.h"

namespace pve_rdma::eni {

namespace {

bool computed(std::string_view value) {  // by a template or a hook
    return value.find('$') != std::string_view::npos;
}

bool takes_addresses(const Stanza& stanza) {
    return stanza.kind == LineKind::iface && (stanza.method.empty() || stanza.method == "static");
}

// The value without what somebody meant as a comment; that is said once, here.
std::string value_of(const Option& option, Findings& findings) {
    const auto hash = option.value.find(" #");
    const auto end = hash == std::string::npos ? option.value.find("\t#") : hash;
    if (end == std::string::npos) return option.value;
    findings.add("inline-comment", Severity::error, option.place, option.name.size(),
                 fmt::format("what stands behind # is part of the value of {}", option.name),
                 "put the comment on a line of its own");
    return option.value.substr(0, option.value.find_last_not_of(" \t", end) + 1);
}

struct Subnet {
    AddressText address;
    int prefix = 0;
};

std::vector<Subnet> check_stanza_addresses(const Stanza& stanza, Findings& findings) {
    std::vector<Subnet> subnets;
    const auto masks = stanza.all("netmask");
    for (const auto* option : stanza.all("address")) {
        const std::string value = value_of(*option, findings);
        if (value.empty() || computed(value)) continue;
        const auto address = parse_address(value);
        if (!address) {
            findings.add("bad-address", Severity::error, option->place, option->name.size(),
                         fmt::format("{} is no address", value));
            continue;
        }
        if (address->prefix) {
            subnets.push_back({*address, *address->prefix});
        } else if (masks.empty()) {
            findings.add(
                "address-without-prefix", Severity::error, option->place, option->name.size(),
                fmt::format("an address without a prefix length or netmask: it becomes a /{}, and no "
                            "neighbour is on the link",
                            address->length()),
                fmt::format("write the length of the subnet: {}/{}", value, address->v6 ? 64 : 24));
        } else if (const auto mask = parse_netmask(value_of(*masks.front(), findings)); mask) {
            subnets.push_back({*address, std::min(*mask, address->length())});
        }
        if (stanza.family == (address->v6 ? "inet" : "inet6"))
            findings.add(
                "address-of-other-family", Severity::warning, option->place, option->name.size(),
                fmt::format("an {} address in an {} stanza", address->v6 ? "IPv6" : "IPv4", stanza.family));
    }
    for (const auto* mask : masks)
        if (!computed(mask->value) && !mask->value.empty() &&
            !parse_netmask(mask->value.substr(0, mask->value.find_first_of(" \t"))))
            findings.add("bad-netmask", Severity::error, mask->place, mask->name.size(),
                         fmt::format("{} is no netmask", mask->value));
    return subnets;
}

struct Gateway {
    const Stanza* stanza;
    const Option* option;
};

void check_gateway(const Stanza& stanza, const std::vector<Subnet>& subnets,
                   std::map<std::pair<bool, std::string>, Gateway>& gateways, Findings& findings) {
    for (const auto* option : stanza.all("gateway")) {
        const std::string value = value_of(*option, findings);
        if (value.empty() || computed(value)) continue;
        const auto gateway = parse_address(value);
        if (!gateway) {
            findings.add("bad-gateway", Severity::error, option->place, option->name.size(),
                         fmt::format("{} is no address", value));
            continue;
        }
        const Option* metric = stanza.find("metric");
        const auto [first, fresh] =
            gateways.try_emplace({gateway->v6, metric ? metric->value : "0"}, Gateway{&stanza, option});
        if (!fresh &&
            (first->second.stanza->name != stanza.name || first->second.option->value != option->value))
            findings.add(
                "two-gateways", Severity::error, option->place, option->name.size(),
                fmt::format("a second IPv{} gateway of metric {}; the first is {} on {} in line {}: which "
                            "one is used is chance",
                            gateway->v6 ? 6 : 4, first->first.second, first->second.option->value,
                            first->second.stanza->name, first->second.option->place.number),
                "keep the gateway of the uplink, or give the other stanza a metric");
        bool link_local = gateway->v6 && gateway->octets[0] == 0xfe && (gateway->octets[1] & 0xc0) == 0x80;
        bool on_link = subnets.empty() || link_local;
        for (const auto& subnet : subnets)
            on_link |= same_subnet(subnet.address, *gateway, subnet.prefix);
        if (!on_link)
            findings.add(
                "gateway-not-on-link", Severity::info, option->place, option->name.size(),
                fmt::format("{} lies in no subnet of this stanza: ifupdown2 asks the kernel for an onlink "
                            "route, classic ifupdown fails",
                            value));
    }
}

}  // namespace

void check_addresses(const View& view, Findings& findings) {
    std::map<std::pair<bool, std::string>, Gateway> gateways;
    for (const auto& stanza : view.stanzas) {
        if (!takes_addresses(stanza) || findings.full()) continue;
        const auto subnets = check_stanza_addresses(stanza, findings);
        if (stanza.method == "static" && !stanza.find("address") && stanza.inherits.empty())
            findings.add("static-without-address",
                         stanza.find("gateway") ? Severity::error : Severity::warning, stanza.place, 5,
                         fmt::format("{} is static and has no address", stanza.name),
                         "add the address, or write manual in place of static");
        check_gateway(stanza, subnets, gateways, findings);
    }
}

}  // namespace pve_rdma::eni
