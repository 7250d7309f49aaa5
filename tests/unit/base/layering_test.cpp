// A layer includes only what native/CMakeLists.txt lists above it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const fs::path native = fs::path(PVE_RDMA_SOURCE_DIR) / "native";

std::vector<std::string> lines_of(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

// The layers in the order in which native/CMakeLists.txt states them.
std::vector<std::string> layers() {
    std::vector<std::string> names;
    const std::regex statement(R"(^pve_rdma_layer\((\w+).*)");
    for (const auto& line : lines_of(native / "CMakeLists.txt"))
        if (std::smatch match; std::regex_match(line, match, statement)) names.push_back(match[1]);
    return names;
}

struct Include {
    fs::path file;
    std::string target;
};

std::vector<Include> includes_below(const fs::path& folder) {
    std::vector<Include> found;
    const std::regex statement("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
        for (const auto& line : lines_of(entry.path()))
            if (std::smatch match; std::regex_match(line, match, statement))
                found.push_back({entry.path(), match[1]});
    }
    return found;
}

TEST(Layering, EveryLayerIncludesOnlyItselfAndLowerOnes) {
    const auto order = layers();
    ASSERT_GE(order.size(), 5u) << "native/CMakeLists.txt no longer lists layers as this test reads them";
    int checked = 0;
    for (std::size_t own = 0; own < order.size(); ++own)
        for (const auto& include : includes_below(native / order[own])) {
            const auto other = std::ranges::find(order, include.target.substr(0, include.target.find('/')));
            if (other == order.end()) continue;
            ++checked;
            EXPECT_LE(static_cast<std::size_t>(other - order.begin()), own)
                << include.file << " includes " << include.target << ", a layer above it";
        }
    EXPECT_GT(checked, 50);
}

TEST(Layering, KernelAndLibraryHeadersStayInTheRoomsThatTalkToThem) {
    const std::regex system_header(R"(^(linux|infiniband|rdma|netlink|apt-pkg)/.*)");
    const std::vector<std::string> rooms{"observe", "kernel", "ifup", "mad", "ofed_reader"};
    int checked = 0;
    for (const auto& include : includes_below(native)) {
        if (!std::regex_match(include.target, system_header)) continue;
        ++checked;
        const std::string room = fs::relative(include.file, native).begin()->string();
        EXPECT_NE(std::ranges::find(rooms, room), rooms.end())
            << include.file << " includes " << include.target;
    }
    EXPECT_GT(checked, 3);
}

}  // namespace
