// Files that are changed as a text: those beside interfaces(5).
#pragma once

#include "eni/file_reader.h"
#include "plan/persist.h"

namespace pve_rdma {

// None when there is no such file; an error for one that cannot be read, or has more than a mebioctet.
Result<std::optional<std::string>> file_content(eni::FileReader&, const std::string& path);

// The file and its diff, unless it says so already.
void persist_text(Persistence&, const std::string& path, const std::optional<std::string>& before,
                  const std::string& after, const std::optional<std::string>& service = {});

}  // namespace pve_rdma
