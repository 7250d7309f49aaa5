// What a step is about, apart from its values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "network/step.h"

namespace pve_rdma {

// Equal for two values, or steps, when they are about the same object: "setting nic0 mtu". Where an entry has
// `same_place`, it says the same.
std::string object_of(const LinkEntry&);
std::string object_of(const SettingEntry&);
std::string object_of(const AddressEntry&);
std::string object_of(const RouteEntry&);
std::string object_of(const RuleEntry&);
std::string object_of(const SysctlEntry&);
std::string object_of(const Step&);

// Steps in pieces, in order, each of which may be carried out as one batch: when it is not known how much of
// a piece was carried out, each of its objects has its old value or its new one, for none occurs twice; and
// no step of a piece rests on another one, for links and their settings, which have effects on others, stand
// alone. None is longer than `longest`.
std::vector<std::span<const Step>> pieces_of(std::span<const Step>, std::size_t longest);

}  // namespace pve_rdma
