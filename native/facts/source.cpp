#include "facts/source.h"

namespace pve_rdma {

namespace {
std::string word(const Error& error) {
    return error.errno_value ? error.errno_name() : std::string(to_string(error.code));
}
}  // namespace

Unread Unread::from(const Error& error) {
    Error words = error;
    words.subject.clear();
    return {.what = error.subject, .error = word(error), .text = words.text(), .hint = error.hint};
}

Source Source::failed(const Error& error) {
    Source source;
    source.unavailable = word(error);
    source.text = error.text();
    if (!error.hint.empty()) source.hint = error.hint;
    return source;
}

}  // namespace pve_rdma
