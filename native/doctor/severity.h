// How bad a finding is, and how sure. In JSON both are words.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma::doctor {

struct Severity {
    enum Level : std::uint8_t { info, warning, error };
    Level level = info;

    constexpr Severity() = default;
    constexpr Severity(Level value) : level(value) {}  // NOLINT: a level is a severity
    std::string text() const;
    static Result<Severity> parse(std::string_view);
    auto operator<=>(const Severity&) const = default;
};

// certain: the facts leave no other reading. likely: nearly always so. possible: worth a look.
struct Certainty {
    enum Level : std::uint8_t { possible, likely, certain };
    Level level = certain;

    constexpr Certainty() = default;
    constexpr Certainty(Level value) : level(value) {}  // NOLINT: a level is a certainty
    std::string text() const;
    static Result<Certainty> parse(std::string_view);
    auto operator<=>(const Certainty&) const = default;
};

}  // namespace pve_rdma::doctor
