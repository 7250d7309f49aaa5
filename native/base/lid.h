// A unicast local identifier (IBA 4.1.3): 1 to 0xbfff. 0 is unassigned, 0xffff the permissive LID.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

class Lid {
  public:
    static Result<Lid> from(std::uint32_t value);
    static Result<Lid> parse(std::string_view);  // decimal or 0x hexadecimal
    std::uint16_t value() const { return value_; }
    std::string text() const { return std::to_string(value_); }
    auto operator<=>(const Lid&) const = default;

  private:
    explicit Lid(std::uint16_t value) : value_(value) {}
    std::uint16_t value_;
};

}  // namespace pve_rdma
