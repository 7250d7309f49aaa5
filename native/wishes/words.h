// The words of an option's value, taken one after the other.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/number.h"

namespace pve_rdma::ifup {

class Words {
  public:
    explicit Words(std::string_view text) : rest_(text) {}

    // Empty at the end.
    std::string_view next() {
        const auto begin = rest_.find_first_not_of(blanks);
        if (begin == rest_.npos) return {};
        const auto end = std::min(rest_.find_first_of(blanks, begin), rest_.size());
        const auto word = rest_.substr(begin, end - begin);
        rest_.remove_prefix(end);
        return word;
    }
    // The word behind a keyword.
    Result<std::string_view> value_of(std::string_view keyword) {
        const auto word = next();
        if (word.empty()) return std::unexpected(bad(keyword, "needs a value"));
        return word;
    }
    Result<std::uint32_t> number_of(std::string_view keyword) {
        const auto word = next();
        const auto number = parse_number<std::uint32_t>(word, 0);
        if (!number) return std::unexpected(bad(keyword, "needs a number"));
        return *number;
    }

    static Error bad(std::string_view subject, std::string message, std::string hint = {}) {
        return {.code = ErrorCode::bad_request,
                .subject = std::string(subject.substr(0, 80)),
                .message = std::move(message),
                .hint = std::move(hint)};
    }

  private:
    static constexpr std::string_view blanks = " \t\r\n\f\v";
    std::string_view rest_;
};

// An interface's name as the kernel takes it: 1 to 15 octets, no blank, no slash.
bool interface_name(std::string_view);

}  // namespace pve_rdma::ifup
