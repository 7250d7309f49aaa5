// How a fact names its fields: once.
//
// A described struct has
//     template <class Self, class Visit>
//     static void fields(Self& self, Visit&& visit) { visit("mtu", self.mtu); ... }
// and nothing else knows its field names. The JSON writer, the JSON reader and the schema are visitors of
// that one list (base/json_*.h). A member may be bool, an integer, double, std::string, a textual type,
// another described struct, or std::optional, std::vector or std::map<std::string, ...> of those.
//
// std::optional without a value means "not known" and is left out of the JSON; a value, also 0 or "", is a
// fact.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace pve_rdma {

namespace detail {
struct AnyVisitor {
    template <class T>
    void operator()(const char*, T&) const {}
};
template <class>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class>
inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<std::map<std::string, T>> = true;
}  // namespace detail

template <class T>
concept Described = requires(T& value) { T::fields(value, detail::AnyVisitor{}); };

// A value type whose JSON form is a string: Guid, Gid, PKey, ...
template <class T>
concept Textual = requires(const T& value, std::string_view text) {
    { value.text() } -> std::convertible_to<std::string>;
    { T::parse(text) } -> std::same_as<Result<T>>;
};

template <class T>
concept Optional = detail::is_optional<std::remove_cv_t<T>>;
template <class T>
concept Vector = detail::is_vector<std::remove_cv_t<T>>;
template <class T>
concept StringMap = detail::is_map<std::remove_cv_t<T>>;

}  // namespace pve_rdma
