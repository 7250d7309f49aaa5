// A described value as a sequence of JSON events: what writes a document, and what builds another language's
// values from it, are two visitors of the same walk, so they cannot differ.
//
// What is a template here is instantiated for every field of every fact, so it does next to nothing itself: a
// line more costs seconds of every build.
#pragma once

#include "base/describe.h"
#include "base/raw_json.h"

namespace pve_rdma {

// The members of an object come as key, value, key, value ... between begin_object and end_object.
class JsonVisitor {
  public:
    virtual ~JsonVisitor() = default;
    virtual void begin_object() = 0;
    virtual void key(std::string_view) = 0;
    virtual void end_object() = 0;
    virtual void begin_array() = 0;
    virtual void end_array() = 0;
    virtual void string(std::string_view) = 0;
    virtual void signed_integer(std::int64_t) = 0;
    virtual void unsigned_integer(std::uint64_t) = 0;
    virtual void number(double) = 0;
    virtual void boolean(bool) = 0;
    virtual void null() = 0;
};

// The text must be valid JSON: it comes from this program.
void visit_raw_json(const RawJson&, JsonVisitor&);

template <class T>
void visit_json(const T& value, JsonVisitor& visitor);

// One visitor for all structs: with a lambda in each, every field type would be compiled again for every
// struct.
struct MemberVisitor {
    JsonVisitor& visitor;
    template <class M>
    void operator()(const char* name, const M& member) const {
        if constexpr (Optional<M>) {
            if (!member) return;
        }
        visitor.key(name);
        visit_json(member, visitor);
    }
};

template <class T>
void visit_json(const T& value, JsonVisitor& visitor) {
    if constexpr (Optional<T>) {
        if (value)
            visit_json(*value, visitor);
        else
            visitor.null();
    } else if constexpr (Vector<T>) {
        visitor.begin_array();
        for (const auto& item : value)
            visit_json<typename T::value_type>(item, visitor);
        visitor.end_array();
    } else if constexpr (StringMap<T>) {
        visitor.begin_object();
        for (const auto& [key, item] : value) {
            visitor.key(key);
            visit_json(item, visitor);
        }
        visitor.end_object();
    } else if constexpr (Described<const T>) {
        visitor.begin_object();
        T::fields(value, MemberVisitor{visitor});
        visitor.end_object();
    } else if constexpr (std::is_same_v<T, RawJson>) {
        visit_raw_json(value, visitor);
    } else if constexpr (Textual<T>) {
        visitor.string(value.text());
    } else if constexpr (std::is_same_v<T, bool>) {
        visitor.boolean(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        visitor.number(value);
    } else if constexpr (std::is_unsigned_v<T>) {
        visitor.unsigned_integer(value);
    } else if constexpr (std::is_integral_v<T>) {
        visitor.signed_integer(value);
    } else {
        visitor.string(value);
    }
}

}  // namespace pve_rdma
