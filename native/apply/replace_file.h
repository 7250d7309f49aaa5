// A file's content replaced so that whoever reads it, and whatever happens meanwhile, sees the old content or
// the new one, never another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

struct Replacement {
    std::string path;  // a symbolic link is followed: the file it leads to is replaced
    // What it holds now, nullopt when there is none yet; ErrorCode::conflict when that is not so.
    std::optional<std::string_view> expected{};
    std::string_view content;  // what it is to hold
    // Asked with the path of the new file before it takes the old one's place; an error leaves all as it is.
    std::function<Result<void>(const std::string& path)> validate = {};
};

// A new file in the same folder (its name begins with a dot, so no `source` pattern finds it), with owner,
// mode, ACLs and extended attributes of the old one; fsync, validation, rename, fsync of the folder. Nothing
// stays behind on failure. The order is what a power cut asks for: without the first fsync the file may be
// empty, without the second one it may be the old one. A file that is new belongs to who makes it, with mode
// 0644.
Result<void> replace_file(const Replacement&);

}  // namespace pve_rdma
