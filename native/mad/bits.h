// Bit fields of MADs, numbered as the IBA does: bit 0 is the top bit of octet 0, values are big-endian.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "base/describe.h"
#include "base/guid.h"
#include "base/pkey.h"

namespace pve_rdma {

// A field may not touch more than 8 octets; every field of the IBA keeps to that except GIDs, which are whole
// octets.
constexpr std::uint64_t read_bits(std::span<const std::uint8_t> octets, unsigned offset, unsigned width) {
    assert(width >= 1 && offset % 8 + width <= 64 && (offset + width + 7) / 8 <= octets.size());
    std::uint64_t value = 0;
    const unsigned last = (offset + width - 1) / 8;
    for (unsigned i = offset / 8; i <= last; ++i)
        value = value << 8 | octets[i];
    value >>= 7 - (offset + width - 1) % 8;
    return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

constexpr void write_bits(std::span<std::uint8_t> octets, unsigned offset, unsigned width,
                          std::uint64_t value) {
    assert((offset + width + 7) / 8 <= octets.size());
    for (unsigned bit = offset + width; bit-- > offset; value >>= 1) {
        const auto mask = static_cast<std::uint8_t>(0x80u >> bit % 8);
        if (value & 1)
            octets[bit / 8] = static_cast<std::uint8_t>(octets[bit / 8] | mask);
        else
            octets[bit / 8] = static_cast<std::uint8_t>(octets[bit / 8] & ~mask);
    }
}

// A struct whose wire() lists its fields (facts/smp.h says how).
template <class T>
concept Wired = requires { T::wire([](const char*, auto, unsigned, unsigned) {}); };

namespace detail {
template <class M>
void read_field(std::span<const std::uint8_t> octets, unsigned offset, unsigned width, M& out) {
    if constexpr (std::is_same_v<M, Gid>) {
        for (unsigned i = 0; i < 16; ++i)
            out.octets[i] = octets[offset / 8 + i];
    } else if constexpr (std::is_same_v<M, Guid> || std::is_same_v<M, PKey>) {
        out.value = static_cast<decltype(out.value)>(read_bits(octets, offset, width));
    } else if constexpr (Optional<M>) {
        read_field(octets, offset, width, out.emplace());
    } else {
        out = static_cast<M>(read_bits(octets, offset, width));
    }
}
template <class M>
void write_field(std::span<std::uint8_t> octets, unsigned offset, unsigned width, const M& value) {
    if constexpr (std::is_same_v<M, Gid>) {
        for (unsigned i = 0; i < 16; ++i)
            octets[offset / 8 + i] = value.octets[i];
    } else if constexpr (std::is_same_v<M, Guid> || std::is_same_v<M, PKey>) {
        write_bits(octets, offset, width, value.value);
    } else if constexpr (Optional<M>) {
        write_field(octets, offset, width, value.value_or(0));
    } else {
        write_bits(octets, offset, width, value);
    }
}
}  // namespace detail

// Octets that a struct's fields reach over.
template <Wired T>
constexpr std::size_t wire_octets() {
    unsigned bits = 0;
    T::wire([&](const char*, auto, unsigned offset, unsigned width) {
        if (offset + width > bits) bits = offset + width;
    });
    return (bits + 7) / 8;
}

// The fields of the wire; words and units are the codec's business (mad/codec.h).
template <Wired T>
T read_wire(std::span<const std::uint8_t> octets) {
    assert(octets.size() >= wire_octets<T>());
    T out{};
    T::wire([&](const char*, auto member, unsigned offset, unsigned width) {
        detail::read_field(octets, offset, width, out.*member);
    });
    return out;
}

// Bits between the fields stay as they are.
template <Wired T>
void write_wire(const T& value, std::span<std::uint8_t> octets) {
    assert(octets.size() >= wire_octets<T>());
    T::wire([&](const char*, auto member, unsigned offset, unsigned width) {
        detail::write_field(octets, offset, width, value.*member);
    });
}

}  // namespace pve_rdma
