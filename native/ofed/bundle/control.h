// Control files of Debian packages and indices of them (deb822(5)): stanzas of fields. Pure, in one pass.
//
// Texts are views into what was read. What breaks the form is an error with its line, never a guess: the
// input comes from a bundle that nobody vouches for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pve_rdma::ofed {

struct ControlLimits {
    std::size_t max_fields = 512;       // of one stanza
    std::size_t max_stanza = 4u << 20;  // octets
};

struct ControlField {
    std::string_view name, value;  // the value with its continuation lines, without blanks around it
};

struct Stanza {
    int line = 0;  // of its first field
    std::vector<ControlField> fields;

    // Names are compared without case. Empty when the field is not there.
    std::string_view get(std::string_view name) const;
};

class ControlReader {
  public:
    // `file` names the text in errors.
    ControlReader(std::string_view text, std::string file, const ControlLimits& limits = {})
        : rest_(text), file_(std::move(file)), limits_(limits) {}

    // The next stanza; nullopt at the end. After an error it goes no further.
    Result<std::optional<Stanza>> next();

  private:
    std::string_view take_line();
    Error malformed(std::string message) const;

    std::string_view rest_;
    std::string file_;
    ControlLimits limits_;
    int line_ = 0;
};

}  // namespace pve_rdma::ofed
