// Status files of nodes for tests: those of tests/fixtures/ofed, and the larger ones beside the clone.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "ofed/plan/installed.h"

namespace pve_rdma::ofed {

inline std::filesystem::path fixture_folder() {
    return std::string(PVE_RDMA_SOURCE_DIR) + "/tests/fixtures/ofed";
}

inline std::filesystem::path shared_folder() {
    const char* shared = std::getenv("PVE_RDMA_SHARED");
    return shared ? shared : std::string(PVE_RDMA_SOURCE_DIR) + "/../shared";
}

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

inline Installed node_of(const std::filesystem::path& status) {
    auto installed = Installed::parse(content_of(status), status.string());
    if (!installed) throw std::runtime_error(installed.error().text());
    return std::move(*installed);
}

}  // namespace pve_rdma::ofed
