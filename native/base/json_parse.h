// JSON text from outside to jsoncpp values: strict, with limits, every error located.
// Include only in the .cpp at the edge that reads a document: jsoncpp's types stay there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <json/json.h>

#include "base/error.h"

namespace pve_rdma {

struct JsonLimits {
    std::size_t max_octets = 64u << 20;  // a report of a node with a thousand links is about 1 MB
    int max_depth = 64;
};

// Refuses comments, duplicate keys, trailing text, non-object roots, depth and size beyond the limits.
// `file` names the document in errors. Line and column count from 1, columns in octets.
Result<Json::Value> parse_json(std::string_view text, const std::string& file, const JsonLimits& limits = {});

// An error at a value of a parsed document; `pointer` is its JSON pointer (RFC 6901).
Error json_error(std::string_view text, const std::string& file, const Json::Value& at,
                 const std::string& pointer, std::string message);

}  // namespace pve_rdma
