// Random steps on small random networks: the model and the running kernel answer alike and end alike, and a
// step that drags nothing along is undone by its inverse.
#include <algorithm>
#include <random>

#include <fmt/ranges.h>

#include "bed.h"
#include "network/settings.h"

namespace pve_rdma::contract {
namespace {

const std::vector<std::string> ports{"nic0", "nic1", "nic2"};

// What both show alike: of the ports and of the bridge.
std::string picture(const Network& network) {
    std::vector<std::string> lines;
    for (const auto& link : network.links) {
        if (std::ranges::find(ports, link.ifname) == ports.end() && link.ifname != "vmbr7") continue;
        lines.push_back(fmt::format("{} mtu {} {} in {}", link.ifname, link.mtu.value_or(0),
                                    is_up(link) ? "up" : "down", link.master.value_or("-")));
    }
    for (const auto& one : network.addresses)
        lines.push_back(fmt::format("{} metric {} {}", one.text(), one.metric, one.noprefixroute));
    for (const auto& one : network.routes)
        lines.push_back(
            fmt::format("{} scope {} type {} by {}", one.text(), one.scope, one.type, one.protocol));
    for (const auto& one : network.rules)
        lines.push_back(one.text());
    for (const auto& [name, value] : network.sysctls)
        lines.push_back(name + " " + value);
    std::ranges::sort(lines);
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

class RandomSteps {
  public:
    explicit RandomSteps(unsigned seed) : random_(seed) {}

    // From what there is, mostly; now and then from what there never was.
    Step next(const Network& now) {
        switch (below(10)) {
            case 0:
            case 1:
            case 2:
                return route_step(now);
            case 3:
                return object_step(now.rules, some_rule());
            case 4:
            case 5:
            case 6:
                return object_step(now.addresses, some_address());
            case 7:
                return setting_step(now, "mtu", one_of({"1279", "1280", "1500", "4000", "9000"}));
            case 8:
                return setting_step(now, below(2) ? "up" : "master", "");
            default:
                return below(3) ? sysctl_step(now) : bridge_step(now);
        }
    }

  private:
    std::size_t below(std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
    }
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return *(all.begin() + below(all.size()));
    }
    std::string one_of(std::initializer_list<const char*> all) { return *(all.begin() + below(all.size())); }
    std::string some_link() { return below(4) ? ports[below(ports.size())] : "vmbr7"; }

    AddressEntry some_address() {
        AddressEntry entry =
            address(some_link(), one_of({"192.0.2.1/24", "192.0.2.2/24", "192.0.2.1/25", "203.0.113.1/24",
                                         "2001:db8::1/64", "2001:db8::1/48", "2001:db8:1::1/64"}));
        entry.metric = one_of<std::uint32_t>({0, 0, 10, 20});
        entry.noprefixroute = below(6) == 0;
        return entry;
    }
    RouteEntry some_route() {
        const bool v6 = below(3) == 0;
        RouteEntry entry =
            v6 ? route(one_of({"2001:db8:5::/48", "::/0"}),
                       one_of({"2001:db8::9", "2001:db8:1::9", "2001:db8:9::9"}), some_link())
               : route(one_of({"198.51.100.0/24", "198.51.101.0/24", "default"}),
                       one_of({"192.0.2.254", "203.0.113.254", "198.18.0.1", ""}), some_link());
        entry.metric = one_of<std::uint32_t>({0, 5, 50});
        if (below(4) == 0) entry.table = "300";
        entry.onlink = entry.via && below(5) == 0;
        if (!v6 && below(4) == 0) entry.source = IpAddress::parse("192.0.2.1").value();
        if (below(8) == 0) entry.protocol = "static";
        return entry;
    }
    RuleEntry some_rule() {
        return {.priority = one_of<std::uint32_t>({100, 200}),
                .from = IpPrefix::parse(one_of({"192.0.2.0/24", "203.0.113.1"})).value(),
                .table = one_of({"main", "300"})};
    }

    template <class T>
    Step object_step(const std::vector<T>& all, T fresh) {
        if (all.empty() || below(2)) return add(fresh);
        const T& one = all[below(all.size())];
        return below(3) ? del(one) : change_of(one);
    }
    Step change_of(const AddressEntry& one) {
        AddressEntry other = one;
        other.metric = one_of<std::uint32_t>({0, 10, 20, 30});
        return change(one, other);
    }
    Step change_of(const RuleEntry& one) {
        RuleEntry other = one;
        other.protocol = "static";
        return change(one, other);
    }
    Step change_of(const RouteEntry& one) {
        RouteEntry other = some_route();
        other.v6 = one.v6;
        other.to = one.to;
        other.metric = one.metric;
        other.table = one.table;
        other.tos = one.tos;
        if (other.via && other.via->is_v6() != one.v6) other.via.reset();
        if (!other.via) other.onlink = false;
        if (one.v6) other.source.reset();
        other.scope = one.v6 || other.via ? "global" : "link";
        return change(one, other);
    }
    Step route_step(const Network& now) { return object_step(now.routes, some_route()); }

    Step setting_step(const Network& now, const std::string& key, std::string to) {
        const std::string name = some_link();
        const Link* link = now.find(name);
        const std::string from = link ? SettingKey(key).read(*link).value_or("") : "1500";
        if (key == "up") to = from == "true" ? "false" : "true";
        if (key == "master") to = from.empty() && name != "vmbr7" ? "vmbr7" : "";
        return set(name, key, from, to);
    }
    Step sysctl_step(const Network& now) {
        const auto& name = sysctls[below(sysctls.size())];
        const SysctlEntry before{name, now.sysctls.at(name)}, after{name, one_of({"0", "1"})};
        return change(before, after);
    }
    Step bridge_step(const Network& now) {
        const LinkEntry bridge{.name = "vmbr7", .kind = "bridge"};
        return now.find("vmbr7") ? remove(bridge) : make(bridge);
    }

    std::mt19937 random_;
};

// Nothing but its object changes with such a step.
bool drags_nothing_along(const Step& step) {
    return step.route || step.rule || step.sysctl;
}

class Random : public testing::TestWithParam<unsigned> {};

TEST_P(Random, StepsMeanTheSameToTheModelAndToTheKernel) {
    const auto fake = fake_bed(), real = kernel_bed();
    if (!real) GTEST_SKIP() << "a network namespace needs root";
    for (const auto& port : ports) {
        fake->add_port(port);
        real->add_port(port);
    }
    RandomSteps steps(GetParam());
    std::vector<std::string> story;
    for (int i = 0; i < 50; ++i) {
        const Network before = real->kernel().read().value();
        ASSERT_EQ(picture(fake->kernel().read().value()), picture(before))
            << fmt::format("{}", fmt::join(story, "\n"));
        const std::vector step{steps.next(before)};
        const auto failed = real->kernel().carry_out(step), fake_failed = fake->kernel().carry_out(step);
        story.push_back(step.front().text() + (failed.empty() ? "" : " -- " + failed.front().error.text()) +
                        (fake_failed.empty() ? "" : " -- the model: " + fake_failed.front().error.text()));
        ASSERT_EQ(failed.empty(), fake_failed.empty())
            << fmt::format("{}\n{}", fmt::join(story, "\n"), picture(before));
        // A step that was done already has no inverse.
        const bool changed = picture(real->kernel().read().value()) != picture(before);
        if (!changed || !drags_nothing_along(step.front())) continue;
        const std::vector back{step.front().inverse()};
        // A route whose gateway is no neighbour any more cannot be made again; both say so.
        const bool undone = real->kernel().carry_out(back).empty();
        ASSERT_EQ(fake->kernel().carry_out(back).empty(), undone) << story.back();
        if (!undone) {
            EXPECT_TRUE(step.front().route && !step.front().route->after) << story.back();
            continue;
        }
        ASSERT_EQ(picture(real->kernel().read().value()), picture(before)) << story.back();
        ASSERT_TRUE(real->kernel().carry_out(step).empty() && fake->kernel().carry_out(step).empty())
            << story.back();
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Range(1U, 25U));

}  // namespace
}  // namespace pve_rdma::contract
