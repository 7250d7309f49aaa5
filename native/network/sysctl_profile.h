// Sets of sysctls by name, with what each line is good for today; and lines of tuning guides that harm or do
// nothing, which a profile leaves out and says why. Sources: Documentation/networking/ip-sysctl.rst, tcp(7),
// socket(7), RFC 2018, RFC 7323.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma {

struct SysctlAdvice {
    std::string_view name;
    std::string_view value;    // that the profile asks for at least; empty: it does not set this one
    std::string_view verdict;  // a sentence, behind "NAME: "
};

struct SysctlProfile {
    std::string_view name;
    std::span<const SysctlAdvice> advice;
};

const SysctlProfile* find_sysctl_profile(std::string_view name);
std::vector<std::string> sysctl_profile_names();

// Of numbers with blanks between, each the larger one: a kernel that allows more by itself keeps that.
std::string raised(std::string_view now, std::string_view wanted);

// What a sysctl that no profile sets does; nullptr for others.
const SysctlAdvice* advice_against(std::string_view name);

}  // namespace pve_rdma
