#include "network/sysctl_profile.h"

#include <algorithm>

#include "base/number.h"

namespace pve_rdma {

namespace {

constexpr SysctlAdvice throughput[]{
    {"net.core.rmem_max", "16777216",
     "a program may ask for a receive buffer of 16 MiB; nobody gets it unasked"},
    {"net.core.wmem_max", "16777216", "the same for sending"},
    {"net.ipv4.tcp_rmem", "4096 131072 16777216",
     "a connection may grow to 16 MiB in flight; the 1280000 of old guides holds it at 10 Gb/s over 1 ms, "
     "below "
     "the kernel's own default"},
    {"net.ipv4.tcp_wmem", "4096 16384 16777216", "the same for sending"},
    {"net.ipv4.tcp_mem", "",
     "counts pages, of all connections together, and the kernel derives it from the node's memory; three "
     "equal "
     "values leave no room between plenty and refusal"},
    {"net.core.rmem_default", "",
     "would let every socket that asks for nothing, UDP too, hold that much; TCP does not look at it"},
    {"net.core.wmem_default", "",
     "would let every socket that asks for nothing, UDP too, hold that much; TCP does not look at it"},
    {"net.core.optmem_max", "", "is for ancillary data, and makes nothing faster"},
    {"net.ipv4.tcp_sack", "", "0 makes one lost packet cost a whole window (RFC 2018)"},
    {"net.ipv4.tcp_timestamps", "",
     "0 takes away what tells old segments from new ones when sequence numbers wrap (RFC 7323), at 40 Gb/s "
     "in "
     "less than a second"},
};

constexpr SysctlProfile profiles[]{{"throughput", throughput}};

}  // namespace

const SysctlProfile* find_sysctl_profile(std::string_view name) {
    const auto found = std::ranges::find(profiles, name, &SysctlProfile::name);
    return found == std::end(profiles) ? nullptr : found;
}

std::vector<std::string> sysctl_profile_names() {
    std::vector<std::string> names;
    for (const auto& profile : profiles)
        names.emplace_back(profile.name);
    return names;
}

std::string raised(std::string_view now, std::string_view wanted) {
    std::string values;
    while (!wanted.empty()) {
        const auto word = wanted.substr(0, wanted.find(' ')), old = now.substr(0, now.find(' '));
        wanted.remove_prefix(std::min(wanted.size(), word.size() + 1));
        now.remove_prefix(std::min(now.size(), old.size() + 1));
        const auto ours = parse_number<std::uint64_t>(word), theirs = parse_number<std::uint64_t>(old);
        if (!values.empty()) values += ' ';
        values += ours && theirs && *theirs > *ours ? old : word;
    }
    return values;
}

const SysctlAdvice* advice_against(std::string_view name) {
    for (const auto& profile : profiles)
        for (const auto& advice : profile.advice)
            if (advice.value.empty() && advice.name == name) return &advice;
    return nullptr;
}

}  // namespace pve_rdma
