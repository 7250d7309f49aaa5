#include "doctor/severity.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pve_rdma::doctor {

namespace {

constexpr std::array<std::string_view, 3> severities{"info", "warning", "error"};
constexpr std::array<std::string_view, 3> certainties{"possible", "likely", "certain"};

template <class T>
Result<T> parse_word(std::string_view text, const std::array<std::string_view, 3>& words) {
    for (std::uint8_t i = 0; i < words.size(); ++i)
        if (words[i] == text) return T(static_cast<T::Level>(i));
    return std::unexpected(Error{.code = ErrorCode::malformed,
                                 .subject = std::string(text),
                                 .message = fmt::format("not one of {}", fmt::join(words, ", "))});
}

}  // namespace

std::string Severity::text() const {
    return std::string(severities[level]);
}

Result<Severity> Severity::parse(std::string_view text) {
    return parse_word<Severity>(text, severities);
}

std::string Certainty::text() const {
    return std::string(certainties[level]);
}

Result<Certainty> Certainty::parse(std::string_view text) {
    return parse_word<Certainty>(text, certainties);
}

}  // namespace pve_rdma::doctor
