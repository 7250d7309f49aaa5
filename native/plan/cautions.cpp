#include <algorithm>

#include <fmt/format.h>

#include "facts/ip_network.h"
#include "network/sysctl_profile.h"
#include "plan/refuse_parts.h"

namespace pve_rdma {

namespace {

// What a profile of sysctls does and leaves out; and a line that the document sets against advice.
void sysctl_advice(const Safety& safety, std::vector<std::string>& words) {
    const Desired& desired = safety.desired;
    if (desired.sysctl_profile)
        for (const auto& advice : find_sysctl_profile(*desired.sysctl_profile)->advice) {
            const std::string name(advice.name);
            const bool known = safety.now.sysctls.contains(name);
            words.push_back(fmt::format("profile {}: {} {}: {}", *desired.sysctl_profile, name,
                                        advice.value.empty() ? "is left alone"
                                        : known              ? "is at least " + std::string(advice.value)
                                                             : "could not be read, and is left alone",
                                        advice.verdict));
        }
    for (const auto& [name, value] : desired.sysctl)
        if (const auto* advice = advice_against(name))
            words.push_back(fmt::format("{} = {}: this setting {}", name, value, advice->verdict));
}

}  // namespace

std::vector<std::string> cautions(const Safety& safety) {
    std::vector<std::string> words;
    sysctl_advice(safety, words);
    subnet_manager_cautions(safety, words);
    const auto number = [&](const std::string& name) {
        const auto found = safety.target.sysctls.find(name);
        return found == safety.target.sysctls.end() || found->second.empty() ? -1 : found->second[0] - '0';
    };
    const auto& addresses = safety.target.addresses;
    for (std::size_t i = 0; i < addresses.size(); ++i)
        for (std::size_t k = i + 1; k < addresses.size(); ++k) {
            const auto &one = addresses[i], &other = addresses[k];
            if (one.dev == other.dev || one.local.is_v6() || one.length >= 32 || one.length != other.length ||
                !covers(one.local, one.length, other.local))
                continue;
            const auto touched = [&](const std::string& dev) {
                return std::ranges::find(safety.desired.links, dev, &DesiredLink::name) !=
                       safety.desired.links.end();
            };
            if (!touched(one.dev) && !touched(other.dev)) continue;
            const auto& preferred = other.metric < one.metric ? other : one;
            const auto& second = other.metric < one.metric ? one : other;
            words.push_back(
                fmt::format("{} and {} are in one network: packets leave through {} (metric {}), also "
                            "answers to what came in "
                            "through {}; and either answers ARP for both addresses, unless "
                            "net.ipv4.conf.all.arp_ignore is 1 and "
                            "arp_announce 2",
                            one.dev, other.dev, preferred.dev, preferred.metric, second.dev));
            for (const auto* address : {&one, &other}) {
                const int all = number("net.ipv4.conf.all.rp_filter");
                const int own = number(fmt::format("net.ipv4.conf.{}.rp_filter", address->dev));
                if (std::max(all, own) == 1)
                    words.push_back(
                        fmt::format("net.ipv4.conf.{}.rp_filter is 1 (strict): peers that talk to {} are "
                                    "dropped as soon as the way "
                                    "back leads through {}; 2 (loose) works",
                                    all == 1 ? "all" : address->dev, address->local.text(),
                                    address == &preferred ? second.dev : preferred.dev));
                if (all < 0 && own < 0)
                    words.push_back(fmt::format(
                        "rp_filter of {} could not be read: with 1 (strict), peers may be dropped",
                        address->dev));
            }
        }
    return words;
}

}  // namespace pve_rdma
