// bench_routes add|remove|dump|change|plan N: what a kernel port costs with N routes, in the network
// namespace that it is started in, and what a plan from N routes to N others costs; one line of JSON. CPU is
// of this thread, in ms, user and system together.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/resource.h>

#include <fmt/format.h>

#include "apply/netlink_kernel.h"
#include "kernel/read_network.h"
#include "plan/planner.h"

namespace {

using namespace pve_rdma;

double cpu() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto ms = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1000 + static_cast<double>(time.tv_usec) / 1000;
    };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
}

long most_memory() {  // KiB
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

RouteEntry route(std::uint32_t number) {
    const std::uint32_t address = 0x0a000000 + number;
    RouteEntry entry{.via = IpAddress::parse("192.0.2.254").value(), .dev = "l0"};
    for (int octet = 0; octet < 4; ++octet)
        entry.to.address.octets[static_cast<std::size_t>(octet)] =
            static_cast<std::uint8_t>(address >> (24 - 8 * octet));
    entry.to.length = 32;
    return entry;
}

std::vector<Step> steps(std::uint32_t count, bool remove) {
    std::vector<Step> all;
    all.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
        all.push_back(remove ? step(Change<RouteEntry>{route(i), {}})
                             : step(Change<RouteEntry>{{}, route(i)}));
    return all;
}

int fail(const Error& error) {
    fmt::print(stderr, "{}\n", error.text());
    return 1;
}

int many(Kernel& kernel, std::uint32_t count, bool remove) {
    const auto all = steps(count, remove);
    const double begin = cpu();
    for (const auto& failure : kernel.carry_out(all))
        return fail(failure.error);
    fmt::print("{{\"cpu\": {}, \"step\": {}}}\n", cpu() - begin, sizeof(Step));
    return 0;
}

int dump(std::uint32_t count) {
    const auto machine = Machine::open("/");
    const long before = most_memory();
    const double begin = cpu();
    const auto network = read_network(*machine, {.rules = false, .ethernet = false});
    const double cost = cpu() - begin;
    if (!network) return fail(network.error());
    if (network->routes.size() != count) {
        fmt::print(stderr, "{} routes, not {}\n", network->routes.size(), count);
        return 1;
    }
    fmt::print("{{\"cpu\": {}, \"memory\": {}, \"entry\": {}}}\n", cost, most_memory() - before,
               sizeof(RouteEntry));
    return 0;
}

// One route gets another gateway and its old one again: two small changes.
int change(Kernel& kernel, std::uint32_t times) {
    const RouteEntry one = route(0);
    RouteEntry other = one;
    other.via = IpAddress::parse("192.0.2.253").value();
    const std::vector there{step(Change<RouteEntry>{one, other})}, back{step(Change<RouteEntry>{other, one})};
    const double begin = cpu();
    for (std::uint32_t i = 0; i < times; ++i)
        for (const auto* steps : {&there, &back})
            for (const auto& failure : kernel.carry_out(*steps))
                return fail(failure.error);
    fmt::print("{{\"cpu\": {}}}\n", (cpu() - begin) / (2.0 * times));
    return 0;
}

// N routes are there and N are wanted: a tenth with another gateway, a tenth anew, a tenth to go.
int plan(std::uint32_t count) {
    const long before = most_memory();
    Network now;
    now.links.push_back({.ifindex = 2, .ifname = "l0", .flags = {"UP"}, .mtu = 1500, .link_type = "ether"});
    now.addresses.push_back({.dev = "l0", .local = IpAddress::parse("192.0.2.1").value(), .length = 24});
    Desired desired;
    for (std::uint32_t i = 0; i < count; ++i) {
        RouteEntry entry = route(i);
        DesiredRoute want{.to = entry.to.text(), .via = entry.via, .dev = "l0"};
        if (i % 10 == 0) want.via = IpAddress::parse("192.0.2.253").value();
        if (i % 10 == 1) want.state = "absent";
        if (i % 10 != 2) now.routes.push_back(std::move(entry));
        desired.routes.push_back(std::move(want));
    }
    const NodeReport nothing{};
    const double begin = cpu();
    const auto made = make_plan({.now = now, .desired = desired, .report = nothing});
    const double cost = cpu() - begin;
    if (!made) return fail(made.error());
    const std::size_t wanted = count / 10 * 3;
    if (!made->refusals.empty() || made->steps.size() != wanted) {
        fmt::print(stderr, "{} steps, not {}\n", made->steps.size(), wanted);
        return 1;
    }
    fmt::print("{{\"cpu\": {}, \"memory\": {}}}\n", cost, most_memory() - before);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const std::string_view what = argv[1];
    const auto count = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
    if (what == "plan") return plan(count);
    const auto kernel = NetlinkKernel::open();
    if (!kernel) return fail(kernel.error());
    if (what == "dump") return dump(count);
    if (what == "change") return change(**kernel, count);
    return many(**kernel, count, what == "remove");
}
