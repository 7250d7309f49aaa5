// JSON as a document in memory, for what is put together piece by piece: schemas, and reports with keys of a
// newer version. Include only in the .cpp that needs it: nlohmann's types stay there.
#pragma once

#include <nlohmann/json.hpp>

#include "base/json_visit.h"

namespace pve_rdma {

using OrderedJson = nlohmann::ordered_json;

// Bytes that are not UTF-8 become U+FFFD.
std::string document_text(const OrderedJson& document, int indent);

void visit_document(const OrderedJson& document, JsonVisitor& visitor);

}  // namespace pve_rdma
