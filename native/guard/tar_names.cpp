#include "guard/tar_names.h"

#include <algorithm>
#include <optional>

namespace pve_rdma::guard {

namespace {

constexpr std::size_t block_size = 512;

std::string_view field(std::string_view block, std::size_t at, std::size_t size) {
    const auto text = block.substr(at, size);
    return text.substr(0, text.find('\0'));
}

// Octal digits, or with the top bit set a binary number (GNU).
std::optional<unsigned long long> size_of(std::string_view block) {
    const auto text = block.substr(124, 12);
    unsigned long long size = 0;
    if (static_cast<unsigned char>(text[0]) == 0x80) {
        for (char c : text.substr(4))
            size = size << 8 | static_cast<unsigned char>(c);
        return size;
    }
    for (char c : text) {
        if (c == ' ' || c == '\0') continue;
        if (c < '0' || c > '7') return std::nullopt;
        size = size * 8 + static_cast<unsigned>(c - '0');
    }
    return size;
}

unsigned long long padded(unsigned long long size) {
    return (size + block_size - 1) / block_size * block_size;
}

}  // namespace

std::string listed_name(std::string_view name) {
    if (name.starts_with('.')) name.remove_prefix(1);
    while (name.starts_with("//"))
        name.remove_prefix(1);
    constexpr std::string_view usr = "/usr";
    if (name.starts_with(usr))
        for (std::string_view merged : {"/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/", "/libx32/"})
            if (name.substr(usr.size()).starts_with(merged)) name.remove_prefix(usr.size());
    return name.starts_with('/') ? std::string(name) : "/" + std::string(name);
}

bool TarNames::header() {
    if (std::ranges::all_of(block_, [](char c) { return c == '\0'; })) {
        ended_ = true;
        return true;
    }
    const auto size = size_of(block_);
    if (!size || block_.substr(257, 5) != "ustar" || *size > 1ull << 40) return false;
    const char kind = block_[156];
    if (kind == 'L') {  // the next member's name
        if (*size > max_name) return false;
        naming_ = *size;
        skip_ = padded(*size);
        long_name_.clear();
        has_long_name_ = true;
        return true;
    }
    std::string name(field(block_, 0, 100));
    // Only POSIX archives have a prefix; GNU ones ("ustar  ") keep other things there.
    if (const auto prefix = field(block_, 345, 155); block_[262] == '\0' && !prefix.empty())
        name = std::string(prefix) + "/" + name;
    if (has_long_name_ && kind != 'K') {
        name = std::string(field(long_name_, 0, long_name_.size()));
        has_long_name_ = false;
    }
    const bool file = kind == '\0' || (kind >= '0' && kind <= '4') || kind == '6' || kind == '7';
    if (file) names_.push_back(listed_name(name));
    const bool data = kind == '\0' || kind == '0' || kind == '7' || kind == 'K' || kind == 'x' || kind == 'g';
    skip_ = data ? padded(*size) : 0;
    return names_.size() <= max_names;
}

bool TarNames::feed(std::string_view octets) {
    while (!octets.empty() && !ended_ && !broken_) {
        if (skip_ > 0) {
            const auto taken = static_cast<std::size_t>(std::min<unsigned long long>(skip_, octets.size()));
            const auto named = static_cast<std::size_t>(std::min<unsigned long long>(naming_, taken));
            long_name_ += octets.substr(0, named);
            naming_ -= named;
            skip_ -= taken;
            octets.remove_prefix(taken);
            continue;
        }
        const auto taken = std::min(block_size - block_.size(), octets.size());
        block_ += octets.substr(0, taken);
        octets.remove_prefix(taken);
        if (block_.size() < block_size) continue;
        broken_ = !header();
        block_.clear();
    }
    return !broken_;
}

}  // namespace pve_rdma::guard
