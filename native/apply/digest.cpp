#include "apply/digest.h"

#include <cstdint>

#include <nettle/sha2.h>

namespace pve_rdma {

namespace {

class Sha256 {
  public:
    Sha256() { sha256_init(&context_); }
    void add(std::string_view octets) {
        sha256_update(&context_, octets.size(), reinterpret_cast<const std::uint8_t*>(octets.data()));
    }
    std::string hex() {
        std::uint8_t digest[SHA256_DIGEST_SIZE];
        sha256_digest(&context_, sizeof digest, digest);
        std::string text;
        for (const auto octet : digest)
            text += fmt::format("{:02x}", octet);
        return text;
    }

  private:
    sha256_ctx context_{};
};

}  // namespace

std::string sha256(std::string_view octets) {
    Sha256 hash;
    hash.add(octets);
    return hash.hex();
}

std::string files_digest(const std::vector<std::pair<std::string_view, std::string_view>>& name_and_text) {
    Sha256 hash;
    for (const auto& [name, text] : name_and_text) {
        hash.add(fmt::format("{}:{}:", name.size(), text.size()));
        hash.add(name);
        hash.add(text);
    }
    return "sha256:" + hash.hex();
}

}  // namespace pve_rdma
