// Where facts come from, and what could not be read there. Nothing that is missing is missing silently.
#pragma once

#include <string>
#include <vector>

#include "base/describe.h"

namespace pve_rdma {

// One thing that could not be read.
struct Unread {
    std::string what{};   // a path, a netlink message, a device: as exact as the source can say
    std::string error{};  // the errno's name ("EINVAL"), or an ErrorCode word where no system call failed
    std::string text{};   // the same for a person, with the kernel's own words where it gave any
    std::string hint{};   // what would make it readable; empty when there is nothing to say

    static Unread from(const Error&);

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("what", self.what);
        visit("error", self.error);
        visit("text", self.text);
        visit("hint", self.hint);
    }
    bool operator==(const Unread&) const = default;
};

// One source of facts: a kernel interface or a family of files.
struct Source {
    std::optional<std::string> unavailable;  // errno name or ErrorCode word when nothing at all came from it
    std::optional<std::string> text, hint;   // for a person, when unavailable
    std::vector<Unread> unread;              // parts that failed while the rest was read

    // Nothing could be read from the source.
    static Source failed(const Error&);

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("unavailable", self.unavailable);
        visit("text", self.text);
        visit("hint", self.hint);
        visit("unread", self.unread);
    }
    bool operator==(const Source&) const = default;
};

}  // namespace pve_rdma
