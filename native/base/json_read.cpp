#include "base/json_read.h"

namespace pve_rdma {

std::string JsonReader::escaped(const std::string& key) {
    std::string out;
    for (char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

void JsonReader::refuse(const Json::Value& at, const std::string& pointer, std::string message) {
    error_ = json_error(text_, file_, at, pointer, std::move(message));
}

void JsonReader::keep(std::string pointer, const Json::Value& value) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    unknown_.push_back({std::move(pointer), Json::writeString(builder, value)});
}

}  // namespace pve_rdma
