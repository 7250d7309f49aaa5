// Bonds, bridges, VLANs and IPoIB: what the kernel, or Proxmox's writer, refuses.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "eni/check.h"
#include "eni/link_roles.h"

namespace pve_rdma::eni {

namespace {

constexpr int default_mtu = 1500;

class LinkChecks {
  public:
    LinkChecks(const View& view, Findings& findings)
        : view_(view), roles_(link_roles(view)), findings_(findings) {}

    void run() {
        for (const auto& interface : view_.interfaces) {
            if (findings_.full()) return;
            const LinkRole& role = roles_.at(interface.name);
            name(role);
            if (role.bond_ports) bond(role);
            if (role.bridge_ports) bridge(role);
            if (role.bond_ports || role.bridge_ports) ports(role);
            child(role);
            mtu(role);
        }
    }

  private:
    const Place& place(const LinkRole& role) const {
        return view_.stanzas[role.interface->stanzas.front()].place;
    }

    const LinkRole* known(const std::string& name) const {
        const auto found = roles_.find(name);
        return found == roles_.end() ? nullptr : &found->second;
    }

    bool infiniband(const std::string& name) const {
        const LinkRole* role = known(name);
        return role ? role->infiniband : infiniband_name(name);
    }

    // A bond of IPoIB ports is as little an Ethernet interface as its ports.
    bool infiniband_below(const std::string& name) const {
        const LinkRole* role = known(name);
        return infiniband(name) ||
               (role && role->bond_ports &&
                std::ranges::any_of(role->ports, [&](const auto& port) { return infiniband(port); }));
    }

    void name(const LinkRole& role) {
        const std::string& name = role.interface->name;
        const auto dot = name.rfind('.');
        if (dot == std::string::npos) return;
        const std::string base = name.substr(0, dot), tag = name.substr(dot + 1);
        if (infiniband(base)) {
            findings_.add(
                "pkey-child-name", Severity::error, place(role), 5,
                fmt::format("{} is a P_Key child by this name: ifupdown2 takes it for a VLAN and fails, "
                            "Proxmox's editor can write no change of any interface any more",
                            name),
                fmt::format("name it {}p{} and write ib-parent {} and ib-pkey 0x{}", base, tag, base, tag));
        } else if (const auto id = parse_number<int>(tag); id && (*id < 1 || *id > 4094)) {
            findings_.add("vlan-id", Severity::error, place(role), 5, fmt::format("{} is no VLAN id", *id),
                          "1 to 4094");
        }
    }

    void bond(const LinkRole& role) {
        const auto of_ib =
            std::ranges::count_if(role.ports, [&](const auto& port) { return infiniband(port); });
        if (!of_ib) return;
        const Option& line = *role.bond_ports;
        if (static_cast<std::size_t>(of_ib) != role.ports.size()) {
            findings_.add("bond-mixes-media", Severity::error, line.place, line.name.size(),
                          "a bond of InfiniBand and Ethernet ports: the kernel refuses the second kind",
                          "make a bond of each kind");
            return;
        }
        const Option* mode = view_.option(*role.interface, "bond-mode");
        if (!mode || (mode->value != "active-backup" && mode->value != "1"))
            findings_.add("ipoib-bond-mode", Severity::error, mode ? mode->place : line.place,
                          mode ? mode->name.size() : line.name.size(),
                          fmt::format("a bond of IPoIB ports works in active-backup mode only{}",
                                      mode ? "" : "; without bond-mode it is balance-rr"),
                          "bond-mode active-backup");
    }

    void bridge(const LinkRole& role) {
        for (const auto& port : role.ports)
            if (infiniband_below(port))
                findings_.add(
                    "bridge-over-ipoib", Severity::error, role.bridge_ports->place,
                    role.bridge_ports->name.size(),
                    fmt::format("{} is IPoIB: the kernel takes no InfiniBand interface into a bridge", port),
                    "route to the guests, or give them virtual functions");
    }

    void ports(const LinkRole& role) {
        const Option& line = role.bridge_ports ? *role.bridge_ports : *role.bond_ports;
        for (const auto& port : role.ports) {
            const auto [first, fresh] = owners_.try_emplace(port, role.interface->name);
            if (!fresh)
                findings_.add("port-twice", Severity::error, line.place, line.name.size(),
                              fmt::format("{} is a port of {} already", port, first->second));
            const LinkRole* own = known(port);
            const Option* address = own ? view_.option(*own->interface, "address") : nullptr;
            if (address)
                findings_.add("port-with-address", Severity::warning, address->place, address->name.size(),
                              fmt::format("{} is a port of {}: an address belongs to {}, not to its port",
                                          port, role.interface->name, role.interface->name));
            if (port == role.interface->name)
                findings_.add("port-of-itself", Severity::error, line.place, line.name.size(),
                              fmt::format("{} is a port of itself", port));
        }
    }

    void child(const LinkRole& role) {
        if (role.parent.empty()) return;
        if (role.ib_parent) {
            const LinkRole* parent = known(role.parent);
            if (parent && (parent->bond_ports || parent->bridge_ports))
                findings_.add(
                    "pkey-on-bond", Severity::error, role.ib_parent->place, role.ib_parent->name.size(),
                    fmt::format("{} is no IPoIB port: the kernel crashes when a P_Key child is made on a "
                                "bond",
                                role.parent),
                    "make a child on each port, and a bond of the children");
            if (!view_.option(*role.interface, "ib-pkey"))
                findings_.add("pkey-missing", Severity::error, role.ib_parent->place,
                              role.ib_parent->name.size(), "a child needs its P_Key", "add: ib-pkey 0x8001");
        } else if (const Option* raw = view_.option(*role.interface, "vlan-raw-device");
                   raw && infiniband_below(role.parent)) {
            findings_.add("vlan-over-ipoib", Severity::error, raw->place, raw->name.size(),
                          fmt::format("{} is IPoIB and has no VLANs", role.parent),
                          "InfiniBand's partitions are P_Keys: ib-parent and ib-pkey");
        }
    }

    static std::optional<int> number(const Option* option) {
        return option ? parse_number<int>(option->value.substr(0, option->value.find_first_of(" \t")))
                      : std::nullopt;
    }

    void mtu(const LinkRole& role) {
        if (!role.mtu) {
            if (role.bond_ports) bond_without_mtu(role);
            return;
        }
        const Option& line = *role.mtu;
        const auto own = number(role.mtu);
        if (!own || *own < 68 || *own > 65536) {
            if (!line.value.empty() && line.value.find('$') == std::string::npos)
                findings_.add("bad-mtu", Severity::error, line.place, line.name.size(),
                              fmt::format("{} is no MTU", line.value));
            return;
        }
        if (*own < 1280)
            findings_.add("mtu-below-ipv6", Severity::warning, line.place, line.name.size(),
                          "below 1280 the kernel takes IPv6 off the interface");
        if (role.infiniband) ipoib_mtu(role, *own);
        for (const auto& port : role.ports)
            above(role, *own, port);
        if (!role.parent.empty()) above(role, *own, role.parent);
    }

    void ipoib_mtu(const LinkRole& role, int own) {
        const Option& line = *role.mtu;
        if (own > 65520)
            findings_.add("ipoib-mtu", Severity::error, line.place, line.name.size(),
                          "IPoIB carries at most 65520 octets");
        else if (own > 4092 && !role.connected && !role.bond_ports)
            findings_.add(
                "ipoib-mtu-mode", Severity::warning, line.place, line.name.size(),
                "more than 4092 needs connected mode, which this stanza does not set: the kernel refuses "
                "it, or cuts it to what the partition carries",
                "add: ib-mode connected (ConnectX-4 and later have datagram mode only)");
    }

    // A bridge and a VLAN stay below their ports; a bond hands its MTU down.
    void above(const LinkRole& role, int own, const std::string& below) {
        const LinkRole* port = known(below);
        const bool says = port && port->mtu;
        if (!says && (role.bond_ports || infiniband(below) || !port)) return;
        if (!says && (port->bond_ports || port->bridge_ports)) return;
        const int lower = says ? number(port->mtu).value_or(own) : default_mtu;
        if (own <= lower) return;
        const bool bridge = role.bridge_ports != nullptr;
        findings_.add(
            "mtu-above-port", bridge || role.bond_ports ? Severity::warning : Severity::error,
            role.mtu->place, role.mtu->name.size(),
            fmt::format("{} above {}, which has {}{}: {}", own, below, lower, says ? "" : " by default",
                        bridge            ? "ifupdown2 is silent, and larger frames are dropped"
                        : role.bond_ports ? "the bond sets its own MTU on the port"
                                          : "the kernel refuses it, and Proxmox's editor every change"),
            fmt::format("give {} mtu {} first", below, own));
    }

    void bond_without_mtu(const LinkRole& role) {
        for (const auto& port : role.ports) {
            const LinkRole* own = known(port);
            const auto lower = own ? number(own->mtu) : std::nullopt;
            if (!lower || *lower <= default_mtu) continue;
            findings_.add(
                "bond-without-mtu", Severity::warning, role.bond_ports->place, role.bond_ports->name.size(),
                fmt::format("{} has mtu {}, and {} none: the bond begins with {} and sets it on its ports",
                            port, *lower, role.interface->name, default_mtu),
                fmt::format("add: mtu {}", *lower));
            return;
        }
    }

    const View& view_;
    std::unordered_map<std::string, LinkRole> roles_;
    Findings& findings_;
    std::unordered_map<std::string, std::string> owners_;  // of ports
};

}  // namespace

void check_links(const View& view, Findings& findings) {
    LinkChecks(view, findings).run();
}

}  // namespace pve_rdma::eni
