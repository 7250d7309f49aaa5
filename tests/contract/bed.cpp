#include "bed.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "apply/fake_kernel.h"
#include "apply/netlink_kernel.h"
#include "apply/run_program.h"
#include "network/settings.h"

namespace pve_rdma::contract {

namespace {

class FakeBed final : public Bed {
  public:
    FakeBed() {
        kernel_.add_ethernet("lo").link_type = "loopback";
        for (const auto& name : sysctls)
            kernel_.network().sysctls[name] = "0";
    }
    Kernel& kernel() override { return kernel_; }
    void add_port(const std::string& name) override { kernel_.add_ethernet(name); }
    void add_ipoib(const std::string& name) override { kernel_.add_ipoib(name); }
    bool has_kind(const std::string&) override { return true; }

  private:
    FakeKernel kernel_;
};

bool ip(const std::vector<std::string>& words) {
    std::vector<std::string> command{::access("/sbin/ip", X_OK) == 0 ? "/sbin/ip" : "/usr/sbin/ip"};
    command.insert(command.end(), words.begin(), words.end());
    const auto ran = run_program(command, std::chrono::seconds(60));
    return ran && ran->status == 0;
}

void write(const std::string& path, const std::string& value) {
    std::ofstream(path) << value;
}

class KernelBed final : public Bed {
  public:
    KernelBed() {
        // Addresses of IPv6 are usable at once, as those of the model are, and nobody sends advertisements.
        write("/proc/sys/net/ipv6/conf/default/accept_dad", "0");
        write("/proc/sys/net/ipv6/conf/default/accept_ra", "0");
        for (const auto& name : {"all", "default"})
            write(std::string("/proc/sys/net/ipv4/conf/") + name + "/promote_secondaries", "0");
        write("/proc/sys/net/ipv4/conf/all/rp_filter", "0");
        write("/proc/sys/net/ipv4/ip_forward", "0");
        kernel_ = NetlinkKernel::open(sysctls).value();
    }
    Kernel& kernel() override { return *kernel_; }
    void add_port(const std::string& name) override {
        ASSERT_TRUE(ip({"link", "add", name, "type", "veth", "peer", "name", "far-" + name}));
        ASSERT_TRUE(ip({"link", "set", "far-" + name, "up"}));
    }
    void add_ipoib(const std::string&) override {}
    bool has_kind(const std::string& kind) override {
        if (kind == "vlan_aware") {
            const bool can = ip({"link", "add", "try", "type", "bridge", "vlan_filtering", "1"});
            ip({"link", "del", "try"});
            return can;
        }
        // A VLAN needs a link below it.
        ip({"link", "add", "below", "type", "ifb"});
        const bool made = kind == "vlan"
                              ? ip({"link", "add", "link", "below", "name", "try", "type", "vlan", "id", "9"})
                              : ip({"link", "add", "try", "type", kind});
        if (made) ip({"link", "del", "try"});
        ip({"link", "del", "below"});
        return made;
    }

  private:
    std::unique_ptr<NetlinkKernel> kernel_;
};

}  // namespace

std::unique_ptr<Bed> fake_bed() {
    return std::make_unique<FakeBed>();
}

std::unique_ptr<Bed> kernel_bed() {
    if (::unshare(CLONE_NEWNET) != 0) return nullptr;
    return std::make_unique<KernelBed>();
}

void Contract::SetUp() {
    bed_ = GetParam() == "fake" ? fake_bed() : kernel_bed();
    if (!bed_) GTEST_SKIP() << "a network namespace needs root";
}

bool Contract::move_home() {
    if (!std::getenv("PVE_RDMA_IPOIB")) return false;
    const int home = ::open("/proc/1/ns/net", O_RDONLY | O_CLOEXEC);
    const bool moved = home >= 0 && ::setns(home, CLONE_NEWNET) == 0;
    ::close(home);
    if (moved) bed_ = std::make_unique<KernelBed>();
    return moved;
}

Network Contract::read() {
    auto network = kernel().read();
    EXPECT_TRUE(network) << network.error().text();
    return network ? *network : Network{};
}

void Contract::carry_out(const std::vector<Step>& steps) {
    for (const auto& failure : kernel().carry_out(steps))
        ADD_FAILURE() << steps[failure.index].text() << ": " << failure.error.text();
}

ErrorCode Contract::refused(const std::vector<Step>& steps, std::size_t index) {
    const auto failures = kernel().carry_out(steps);
    EXPECT_EQ(failures.size(), 1U);
    if (failures.empty()) return ErrorCode::internal;
    EXPECT_EQ(failures.front().index, index) << failures.front().error.text();
    return failures.front().error.code;
}

Step make(LinkEntry link) {
    return add(std::move(link));
}
Step remove(LinkEntry link) {
    return del(std::move(link));
}
Step set(const std::string& link, const std::string& key, const std::string& from, const std::string& to) {
    return change(SettingEntry{link, key, from}, SettingEntry{link, key, to});
}

AddressEntry address(const std::string& dev, const std::string& text) {
    const auto slash = text.find('/');
    return {.dev = dev,
            .local = IpAddress::parse(text.substr(0, slash)).value(),
            .length = static_cast<std::uint8_t>(std::stoi(text.substr(slash + 1)))};
}

RouteEntry route(const std::string& to, const std::string& via, const std::string& dev) {
    RouteEntry entry{.to = IpPrefix::parse(to).value(), .dev = dev};
    entry.v6 = to.find(':') != to.npos;
    if (!via.empty()) entry.via = IpAddress::parse(via).value();
    if (!entry.v6 && via.empty() && !dev.empty()) entry.scope = "link";
    return entry;
}

bool holds(const Network& network, const AddressEntry& entry) {
    return std::ranges::find(network.addresses, kept(entry)) != network.addresses.end();
}
bool holds(const Network& network, const RouteEntry& entry) {
    return std::ranges::find(network.routes, kept(entry)) != network.routes.end();
}
bool holds(const Network& network, const RuleEntry& entry) {
    return std::ranges::find(network.rules, entry) != network.rules.end();
}

}  // namespace pve_rdma::contract
