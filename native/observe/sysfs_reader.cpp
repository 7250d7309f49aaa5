#include "observe/sysfs_reader.h"

#include <cerrno>

#include <fmt/format.h>

#include "base/number.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

bool absent(const Error& error) {
    return error.errno_value == ENOENT || error.errno_value == ENOTDIR;
}

const char* hint_for(const Error& error) {
    switch (error.errno_value) {
        case EACCES:
        case EPERM:
            return "read it as root";
        case EIO:
        case ETIMEDOUT:
            return "the driver could not ask the hardware; look at the kernel log";
        default:
            return "";
    }
}

}  // namespace

void SysfsReader::note(const Error& error) {
    if (absent(error) || gone()) return;
    Error noted = error;
    if (error.errno_value == ENODEV || error.errno_value == ENXIO) {
        object_->gone = true;
        noted.subject = object_->folder;
        noted.message = "the device went away while it was read";
    }
    if (noted.hint.empty()) noted.hint = hint_for(error);
    source_.unread.push_back(Unread::from(noted));
}

void SysfsReader::note_value(const std::string& name, const std::string& value, const char* expected) {
    source_.unread.push_back(Unread::from(
        Error{.code = ErrorCode::malformed,
              .subject = path(name),
              .message = fmt::format("holds \"{}\" where {} is expected",
                                     printable(std::string_view(value).substr(0, 80)), expected)}));
}

std::optional<std::string> SysfsReader::text(const std::string& name) {
    if (gone()) return std::nullopt;
    auto content = machine_.text(path(name));
    if (!content) {
        note(content.error());
        return std::nullopt;
    }
    if (content->empty()) return std::nullopt;
    return printable(*content);
}

std::optional<std::uint64_t> SysfsReader::number(const std::string& name, std::uint64_t max) {
    const auto value = text(name);
    if (!value) return std::nullopt;
    const auto parsed = parse_number<std::uint64_t>(*value, 0);
    if (parsed && *parsed <= max) return parsed;
    note_value(name, *value, "a number in range");
    return std::nullopt;
}

std::optional<std::int64_t> SysfsReader::signed_number(const std::string& name) {
    const auto value = text(name);
    if (!value) return std::nullopt;
    const auto parsed = parse_number<std::int64_t>(*value);
    if (!parsed) note_value(name, *value, "a number in range");
    return parsed;
}

std::optional<Guid> SysfsReader::guid(const std::string& name) {
    const auto value = text(name);
    if (!value) return std::nullopt;
    const auto parsed = Guid::parse(*value);
    if (parsed) return *parsed;
    note_value(name, *value, "a GUID");
    return std::nullopt;
}

std::optional<std::string> SysfsReader::link_name(const std::string& name) {
    if (gone()) return std::nullopt;
    auto target = machine_.link_name(path(name));
    if (target) return printable(*target);
    if (target.error().errno_value != EINVAL) note(target.error());  // EINVAL: there, but not a link
    return std::nullopt;
}

std::vector<std::string> SysfsReader::list(const std::string& name) {
    if (gone()) return {};
    auto names = machine_.list(path(name));
    if (names) return std::move(*names);
    note(names.error());
    return {};
}

}  // namespace pve_rdma
