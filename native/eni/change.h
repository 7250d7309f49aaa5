// A change of a text: which octets go, and what comes for them. It knows its inverse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pve_rdma::eni {

struct Splice {
    std::size_t at = 0;  // in the text before the change
    std::string removed, inserted;
    bool operator==(const Splice&) const = default;
};

// In ascending order, not overlapping.
using Change = std::vector<Splice>;

// ErrorCode::conflict when the text does not hold what the change removes.
Result<std::string> changed_text(std::string_view text, const Change&);
// changed_text(changed_text(text, change), inverse(change)) is the text.
Change inverse(const Change&);

// The change as `diff -u` prints it, with three lines around; empty for no change. Octets stay as they are.
std::string unified_diff(std::string_view before, const Change&, std::string_view before_name,
                         std::string_view after_name);

}  // namespace pve_rdma::eni
