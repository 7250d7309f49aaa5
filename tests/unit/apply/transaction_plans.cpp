#include "transaction_plans.h"

#include <gtest/gtest.h>

namespace pve_rdma {

namespace {

void add_route(Bed& bed, const RouteEntry& entry) {
    auto& routes = bed.kernel.network().routes;
    std::erase_if(routes, [&](const auto& one) { return one.same_place(entry); });
    routes.push_back(entry);
}

}  // namespace

std::vector<Plan> transaction_plans() {
    std::vector<Plan> all;
    const FileChange file{.path = interfaces, .before = "old\n", .after = "new\n"};
    const auto up = [](Link& link) { link.flags.emplace_back("UP"); };

    Plan routes{.name = "Routes"};
    const RouteEntry old_route = route("default", "192.0.2.254", "nic0", 200),
                     new_route = route("default", "198.51.100.254", "nic1", 50),
                     storage = route("203.0.113.0/24", "192.0.2.253", "nic0", 0),
                     other_storage = route("203.0.113.0/24", "198.51.100.253", "nic1", 0);
    routes.make = [=](FakeKernel& kernel) {
        up(kernel.add_ethernet("nic0"));
        up(kernel.add_ethernet("nic1"));
        kernel.network().addresses = {address("nic0", "192.0.2.1/24"), address("nic1", "198.51.100.1/24")};
        kernel.network().routes = {old_route, storage};
    };
    routes.steps = {added(new_route), deleted(old_route), changed(storage, other_storage),
                    added(RuleEntry{.priority = 100, .from = *IpPrefix::parse("192.0.2.1"), .table = "40"})};
    routes.files = {file};
    routes.unplugged = "nic1";
    routes.same_object = [=](Bed& bed) { add_route(bed, route("203.0.113.0/24", "192.0.2.77", "nic0", 0)); };
    routes.other_object = [=](Bed& bed) { add_route(bed, route("233.252.0.0/24", "192.0.2.1", "nic0", 7)); };
    all.push_back(routes);

    Plan addresses{.name = "Addresses"};
    addresses.make = [=](FakeKernel& kernel) {
        up(kernel.add_ethernet("nic0"));
        kernel.network().addresses = {address("nic0", "192.0.2.1/24")};
        kernel.network().sysctls = {{"net.ipv4.conf.all.rp_filter", "1"}};
    };
    addresses.steps = {changed(address("nic0", "192.0.2.1/24"), address("nic0", "192.0.2.1/24", 10)),
                       added(address("nic0", "198.51.100.1/24", 20)),
                       set_sysctl("net.ipv4.conf.all.rp_filter", "1", "2")};
    addresses.files = {file, {.path = "/etc/sysctl.d/pve-rdma.conf", .before = {}, .after = "rp_filter\n"}};
    addresses.unplugged = "nic0";
    addresses.same_object = [](Bed& bed) {
        bed.kernel.network().sysctls["net.ipv4.conf.all.rp_filter"] = "0";
    };
    addresses.other_object = [=](Bed& bed) {
        auto& there = bed.kernel.network().addresses;
        if (bed.kernel.network().find("nic0")) there.push_back(address("nic0", "203.0.113.9/24"));
    };
    all.push_back(addresses);

    Plan manager{.name = "SubnetManager"};
    manager.make = [=](FakeKernel& kernel) { up(kernel.add_ethernet("nic0")); };
    manager.steps = {set("nic0", "mtu", "1500", "1400")};
    manager.files = {
        file,
        {.path = "/etc/opensm/opensm.conf", .before = {}, .after = "2\n", .service = "opensm.service"},
        {.path = "/etc/opensm/partitions.conf",
         .before = "old\n",
         .after = "new\n",
         .service = "opensm.service"}};
    manager.unplugged = "nic0";
    manager.same_object = [](Bed& bed) { bed.kernel.network().find("nic0")->mtu = 1300; };
    manager.other_object = [](Bed& bed) { bed.kernel.add_ethernet("usb0"); };
    all.push_back(manager);

    Plan chain{.name = "ChainOfMtus"};
    chain.make = [=](FakeKernel& kernel) {
        up(kernel.add_ethernet("nic0"));
        ASSERT_TRUE(kernel
                        .carry_out(std::vector{
                            added(LinkEntry{.name = "vmbr1", .kind = "bridge"}),
                            added(LinkEntry{.name = "nic0.5", .kind = "vlan", .parent = "nic0", .id = 5}),
                            set("vmbr1", "up", "false", "true"), set("nic0.5", "up", "false", "true"),
                            set("vmbr1", "mtu", "1500", "1400"), set("nic0.5", "master", "", "vmbr1")})
                        .empty());
    };
    chain.steps = {set("nic0", "mtu", "1500", "9000"), set("nic0.5", "mtu", "1500", "9000"),
                   set("vmbr1", "mtu", "1400", "9000")};
    chain.files = {file};
    chain.unplugged = "nic0.5";
    chain.same_object = [](Bed& bed) { bed.kernel.network().find("vmbr1")->mtu = 4000; };
    chain.other_object = [](Bed& bed) { bed.kernel.add_ethernet("usb0"); };
    all.push_back(chain);

    Plan bond{.name = "BondOfIpoib"};
    bond.make = [=](FakeKernel& kernel) {
        up(kernel.add_ipoib("ib0"));
        kernel.add_ipoib("ib1");
        kernel.network().addresses = {address("ib0", "192.0.2.1/24")};
        kernel.network().routes = {route("203.0.113.0/24", "192.0.2.9", "ib0", 0)};
    };
    bond.steps = {
        added(LinkEntry{.name = "bond0", .kind = "bond", .settings = {{"bond.mode", "active-backup"}}}),
        set("bond0", "bond.miimon", "0", "100"),
        set("bond0", "mtu", "1500", "2044"),
        deleted(route("203.0.113.0/24", "192.0.2.9", "ib0", 0)),
        deleted(address("ib0", "192.0.2.1/24")),
        set("ib0", "up", "true", "false"),
        set("ib0", "master", "", "bond0"),
        set("ib0", "up", "false", "true"),  // the bond has done that
        set("ib1", "master", "", "bond0"),
        set("ib1", "up", "false", "true"),
        set("bond0", "up", "false", "true"),
        added(address("bond0", "192.0.2.1/24")),
        added(route("203.0.113.0/24", "192.0.2.9", "bond0", 0)),
    };
    bond.files = {file, {.path = "/etc/network/interfaces.d/pve-rdma", .before = "auto ib0\n", .after = {}}};
    bond.unplugged = "ib1";
    bond.same_object = [=](Bed& bed) {
        add_route(bed, route("203.0.113.0/24", "192.0.2.77", "elsewhere", 0));
    };
    bond.other_object = [](Bed& bed) { bed.kernel.network().sysctls["net.core.somaxconn"] = "4096"; };
    all.push_back(bond);

    Plan toggled{.name = "OneObjectSeveralTimes"};
    toggled.make = [=](FakeKernel& kernel) {
        up(kernel.add_ipoib("ib0"));
        kernel.network().addresses = {address("ib0", "192.0.2.1/24")};
        kernel.network().routes = {route("203.0.113.0/24", "192.0.2.9", "ib0", 0)};
    };
    toggled.steps = {deleted(route("203.0.113.0/24", "192.0.2.9", "ib0", 0)),
                     set("ib0", "up", "true", "false"),
                     set("ib0", "ipoib.mode", "datagram", "connected"),
                     set("ib0", "mtu", "2044", "65520"),
                     set("ib0", "up", "false", "true"),
                     added(route("203.0.113.0/24", "192.0.2.9", "ib0", 0)),
                     set("ib0", "mtu", "65520", "32000")};
    toggled.files = {file};
    toggled.unplugged = "ib0";
    toggled.same_object = [](Bed& bed) {
        if (Link* link = bed.kernel.network().find("ib0")) link->ifalias = "theirs";
    };
    toggled.other_object = [](Bed& bed) { bed.kernel.add_ethernet("usb0"); };
    all.push_back(toggled);
    return all;
}

}  // namespace pve_rdma
