// Reading attributes of one object in sysfs, with the rule for what is missing:
//   no such file (ENOENT, ENOTDIR)  the driver has no such attribute: not known, not noted
//   an empty file                   the same; recorders write one where the kernel gave an error
//   any other error, a bad value    noted in the source, with path and errno
//   ENODEV, ENXIO                   the object went away: noted once, and nothing more of it is read
// A reader belongs to one thread.
#pragma once

#include <optional>

#include "base/guid.h"
#include "facts/source.h"
#include "observe/machine.h"

namespace pve_rdma {

class SysfsReader {
  public:
    SysfsReader(const Machine& machine, Source& source, std::string folder)
        : machine_(machine),
          source_(source),
          folder_(std::move(folder)),
          object_(std::make_shared<Object>(Object{folder_, false})) {}

    const Machine& machine() const { return machine_; }
    const std::string& folder() const { return folder_; }
    // A reader of a folder below, of the same object: when it goes away, it is gone for both.
    SysfsReader below(const std::string& name) const {
        SysfsReader reader = *this;
        reader.folder_ += "/" + name;
        return reader;
    }
    // The same for another object that stands in this folder.
    SysfsReader object(const std::string& name) const { return {machine_, source_, folder_ + "/" + name}; }

    // Text without trailing white space, printable.
    std::optional<std::string> text(const std::string& name);
    // Decimal, or hexadecimal with 0x.
    std::optional<std::uint64_t> number(const std::string& name, std::uint64_t max = UINT64_MAX);
    std::optional<std::int64_t> signed_number(const std::string& name);
    std::optional<Guid> guid(const std::string& name);
    // Last component of a symbolic link's target.
    std::optional<std::string> link_name(const std::string& name);
    std::vector<std::string> list(const std::string& name);

    // The same for a member that another source may have filled: reads only when it has no value.
    void fill(std::optional<std::string>& out, const std::string& name) {
        if (!out) out = text(name);
    }
    void fill(std::optional<std::uint32_t>& out, const std::string& name) {
        if (out) return;
        if (const auto value = number(name, UINT32_MAX)) out = static_cast<std::uint32_t>(*value);
    }
    void fill(std::optional<std::uint64_t>& out, const std::string& name) {
        if (!out) out = number(name);
    }
    void fill(std::optional<Guid>& out, const std::string& name) {
        if (!out) out = guid(name);
    }

    bool gone() const { return object_->gone; }
    // Notes an error by the rule above.
    void note(const Error& error);
    // Notes a value that cannot be what the file should hold.
    void note_value(const std::string& name, const std::string& value, const char* expected);

  private:
    struct Object {
        std::string folder;
        bool gone;
    };
    std::string path(const std::string& name) const { return name.empty() ? folder_ : folder_ + "/" + name; }

    const Machine& machine_;
    Source& source_;
    std::string folder_;
    std::shared_ptr<Object> object_;
};

}  // namespace pve_rdma
