// Property tests: whatever the network and whatever is wanted of it, a plan leads there on the model of the
// kernel, leads back when it is walked backwards, and no step leaves a destination without a way that had one
// before and has one after.
#include <algorithm>
#include <iostream>
#include <random>

#include "plan/refuse.h"
#include "support.h"

namespace pve_rdma {
namespace {

using Random = std::mt19937;

int below(Random& random, int limit) {
    return std::uniform_int_distribution<int>(0, limit - 1)(random);
}
bool chance(Random& random, int percent) {
    return below(random, 100) < percent;
}

constexpr int cards = 4;

std::string card(int i) {
    return fmt::format("nic{}", i);
}
IpAddress host(int network, int i) {
    return *IpAddress::parse(fmt::format("10.{}.0.{}", network, i + 1));
}

// What somebody might want: some cards up, with addresses in few networks (so that they meet), VLANs and
// bridges on them, routes through what is there.
Desired random_desired(Random& random) {
    Desired desired;
    std::vector<std::pair<std::string, int>> reach;  // link and network
    for (int i = 0; i < cards; ++i) {
        if (chance(random, 20)) continue;
        DesiredLink link{.name = card(i)};
        link.settings["up"] = "true";
        if (chance(random, 40)) link.settings["mtu"] = chance(random, 50) ? "9000" : "1500";
        for (int k = below(random, 3); k > 0; --k) {
            const int network = below(random, 3);
            DesiredAddress address{.address = {host(network, i * 8 + k), 24}};
            if (chance(random, 50)) address.metric = static_cast<std::uint32_t>(1 + below(random, 3));
            reach.emplace_back(link.name, network);
            link.addresses.push_back(address);
        }
        desired.links.push_back(std::move(link));
    }
    if (chance(random, 40)) {
        DesiredLink vlan{.name = "nic0.7", .kind = "vlan", .parent = "nic0", .id = 7};
        vlan.addresses.push_back({.address = {host(5, 1), 24}});
        reach.emplace_back("nic0.7", 5);
        if (std::ranges::find(desired.links, "nic0", &DesiredLink::name) == desired.links.end()) {
            desired.links.push_back({.name = "nic0"});
            desired.links.back().settings["up"] = "true";
        }
        desired.links.push_back(std::move(vlan));
    }
    for (int k = below(random, 5); k > 0 && !reach.empty(); --k) {
        const auto& [link, network] =
            reach[static_cast<std::size_t>(below(random, static_cast<int>(reach.size())))];
        DesiredRoute route{
            .to = chance(random, 40) ? "default" : fmt::format("172.16.{}.0/24", below(random, 4)),
            .via = *IpAddress::parse(fmt::format("10.{}.0.{}", network, 200 + below(random, 3))),
            .dev = link,
            .metric = static_cast<std::uint32_t>(below(random, 3) * 10)};
        const bool twice = std::ranges::any_of(desired.routes, [&](const DesiredRoute& other) {
            return other.to == route.to && other.metric == route.metric;
        });
        if (!twice) desired.routes.push_back(route);
    }
    return desired;
}

// What is there and not wanted is named as absent, so that the new document is all that is left.
void name_the_rest_absent(Desired& desired, const Network& now) {
    for (const auto& address : now.addresses) {
        auto link = std::ranges::find(desired.links, address.dev, &DesiredLink::name);
        if (link == desired.links.end()) {
            desired.links.push_back({.name = address.dev});
            link = desired.links.end() - 1;
        }
        const Cidr cidr{address.local, address.length};
        if (std::ranges::find(link->addresses, cidr, &DesiredAddress::address) == link->addresses.end())
            link->addresses.push_back({.address = cidr, .state = "absent"});
    }
    for (const auto& route : now.routes) {
        const bool wanted = std::ranges::any_of(desired.routes, [&](const DesiredRoute& one) {
            return one.to == route.to.text() && one.metric.value_or(0) == route.metric;
        });
        if (!wanted)
            desired.routes.push_back(
                {.to = route.to.text(), .dev = route.dev, .state = "absent", .metric = route.metric});
    }
}

std::vector<IpAddress> destinations() {
    std::vector<IpAddress> all;
    for (const char* text : {"198.51.100.1", "172.16.0.9", "172.16.1.9", "172.16.2.9", "172.16.3.9",
                             "10.0.0.77", "10.1.0.77", "10.2.0.77", "10.5.0.77"})
        all.push_back(*IpAddress::parse(text));
    return all;
}

FakeKernel node() {
    FakeKernel kernel;
    for (int i = 0; i < cards; ++i) {
        kernel.add_ethernet(card(i));
        kernel.network().sysctls[fmt::format("net.ipv4.conf.{}.promote_secondaries", card(i))] = "0";
    }
    kernel.network().sysctls["net.ipv4.conf.all.promote_secondaries"] = "0";
    return kernel;
}

Plan plan_of(const Network& now, const Desired& desired) {
    static const NodeReport nothing{};
    auto made = make_plan({.now = now, .desired = desired, .report = nothing});
    EXPECT_TRUE(made);
    return std::move(*made);
}

TEST(Plan, LeadsThereAndBackWithoutAGap) {
    int carried_out = 0, steps = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        FakeKernel kernel = node();
        const Plan first = plan_of(*kernel.read(), random_desired(random));
        if (!first.refusals.empty()) continue;
        test::carry_out(kernel, first.steps);
        const Network before = *kernel.read();
        Desired wanted = random_desired(random);
        if (chance(random, 70)) name_the_rest_absent(wanted, before);
        const Plan made = plan_of(before, wanted);
        if (!made.refusals.empty()) continue;

        for (std::size_t i = 0; i < made.steps.size(); ++i) {
            test::carry_out(kernel, {made.steps[i]});
            const Network between = *kernel.read();
            for (const auto& to : destinations())
                if (!way_to(before, to).empty() && !way_to(made.target, to).empty()) {
                    EXPECT_FALSE(way_to(between, to).empty())
                        << to.text() << " after " << made.steps[i].text() << ", step " << i;
                }
        }
        const Network after = *kernel.read();
        EXPECT_EQ(test::texts(ordered_steps(after, made.target)), std::vector<std::string>{});
        EXPECT_EQ(test::texts(plan_of(after, wanted).steps), std::vector<std::string>{});

        test::carry_out(kernel, inverse(made.steps));
        EXPECT_EQ(test::texts(ordered_steps(*kernel.read(), before)), std::vector<std::string>{});
        ++carried_out;
        steps += static_cast<int>(made.steps.size());
        if (testing::Test::HasFailure()) {
            for (const auto& one : made.steps)
                ADD_FAILURE() << "plan: " << one.text();
            break;
        }
    }
    EXPECT_GT(carried_out, 100);
    std::cout << carried_out << " plans of " << steps << " steps, there and back\n";
}

}  // namespace
}  // namespace pve_rdma
