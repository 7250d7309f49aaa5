// The files that every test of interfaces(5) runs over: our own, and the shared corpus where it is there.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace pve_rdma::eni {

struct CorpusFile {
    std::string name, text;
};

inline std::string read_octets(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<CorpusFile> files_in(const std::filesystem::path& folder, const std::string& extension) {
    std::vector<CorpusFile> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().extension() == extension && !entry.path().filename().string().starts_with('.'))
            files.push_back({entry.path().filename().string(), read_octets(entry.path())});
    std::ranges::sort(files, {}, &CorpusFile::name);
    return files;
}

inline const std::filesystem::path source_folder = PVE_RDMA_SOURCE_DIR;

inline std::vector<CorpusFile> own_corpus() {
    return files_in(source_folder / "tests/corpus/interfaces", "");
}

inline std::vector<CorpusFile> shared_corpus() {
    const char* shared = std::getenv("PVE_RDMA_SHARED");
    return files_in((shared ? std::filesystem::path(shared) : source_folder.parent_path() / "shared") /
                        "corpus/interfaces",
                    ".txt");
}

inline std::vector<CorpusFile> whole_corpus() {
    auto files = own_corpus();
    auto more = shared_corpus();
    files.insert(files.end(), more.begin(), more.end());
    return files;
}

}  // namespace pve_rdma::eni
