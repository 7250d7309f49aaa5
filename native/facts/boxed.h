// An optional value that lives on the heap: for big parts that few owners have (the bond of a link, the
// module in a port), so that a vector of owners stays small. In JSON it is what std::optional is. Copies are
// deep. Threads: as any value.
#pragma once

#include <memory>
#include <utility>

#include "base/describe.h"

namespace pve_rdma {

template <class T>
class Boxed {
  public:
    using value_type = T;

    Boxed() = default;
    Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
    Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    Boxed(Boxed&&) noexcept = default;
    Boxed& operator=(const Boxed& other) {
        if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
        return *this;
    }
    Boxed& operator=(Boxed&&) noexcept = default;
    ~Boxed() = default;

    explicit operator bool() const { return value_ != nullptr; }
    bool has_value() const { return value_ != nullptr; }
    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    T* operator->() { return value_.get(); }
    const T* operator->() const { return value_.get(); }
    T& emplace() {
        value_ = std::make_unique<T>();
        return *value_;
    }
    void reset() { value_.reset(); }

    friend bool operator==(const Boxed& a, const Boxed& b) {
        return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
    }

  private:
    std::unique_ptr<T> value_;
};

namespace detail {
template <class T>
inline constexpr bool is_optional<Boxed<T>> = true;
}  // namespace detail

}  // namespace pve_rdma
