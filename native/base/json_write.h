// JSON events to text.
#pragma once

#include "base/json_visit.h"
#include "base/unknown_key.h"

namespace pve_rdma {

// Text that is built while the value is walked: a report of 1,000 links as a document in memory cost more
// than reading them from the kernel.
class JsonText : public JsonVisitor {
  public:
    // `indent` spaces for each level; < 0 for one line.
    explicit JsonText(int indent) : indent_(indent) {}

    void begin_object() override { open('{'); }
    void key(std::string_view) override;
    void end_object() override { close('}'); }
    void begin_array() override { open('['); }
    void end_array() override { close(']'); }
    // Bytes that are not UTF-8 (EEPROM text, sysfs) become U+FFFD: a document is always valid JSON.
    void string(std::string_view) override;
    void signed_integer(std::int64_t) override;
    void unsigned_integer(std::uint64_t) override;
    void number(double) override;
    void boolean(bool value) override { word(value ? "true" : "false"); }
    void null() override { word("null"); }

    std::string take() { return std::move(text_); }

  private:
    void begin_value();
    void new_line();
    void open(char bracket);
    void close(char bracket);
    void word(std::string_view);
    void quoted(std::string_view);

    int indent_;
    int depth_ = 0;
    bool first_ = true;       // nothing stands yet in the innermost object or array
    bool after_key_ = false;  // the value's place is there already
    std::string text_;
};

template <class T>
std::string json_text(const T& value, int indent) {
    JsonText text(indent);
    visit_json(value, text);
    return text.take();
}

// The document with the keys that a reader did not know back in their places. `below` is the JSON pointer of
// the object that they were read from.
std::string with_unknown_keys(const std::string& json, const std::vector<UnknownKey>& unknown,
                              const std::string& below, int indent);

}  // namespace pve_rdma
