#include "ofed/bundle/dkms_conf.h"

#include <algorithm>

#include "base/trimmed.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t max_text = 1u << 20;
constexpr std::size_t max_modules = 1024;

// What stands between the quotes, or the word up to a blank, a comment or the next command.
std::string_view unquoted(std::string_view value) {
    if (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
        const auto end = value.find(value.front(), 1);
        return value.substr(1, end == std::string_view::npos ? end : end - 1);
    }
    return value.substr(0, value.find_first_of(" \t\r;#"));
}

bool is_yes(std::string_view value) {
    return !value.empty() && (value.front() == 'y' || value.front() == 'Y');
}

void assign(std::string_view name, std::string_view value, DkmsConf& conf) {
    if (name == "PACKAGE_NAME")
        conf.name = value;
    else if (name == "PACKAGE_VERSION")
        conf.version = value;
    else if (name == "AUTOINSTALL")
        conf.autoinstall = is_yes(value);
    else if (name == "REMAKE_INITRD")
        conf.remake_initrd = is_yes(value);
    else if (name.starts_with("BUILT_MODULE_NAME") && conf.modules.size() < max_modules) {
        std::string module = module_name(value);
        if (!module.empty() && std::ranges::find(conf.modules, module) == conf.modules.end())
            conf.modules.push_back(std::move(module));
    }
}

}  // namespace

std::string module_name(std::string_view file_name) {
    std::string name(file_name.substr(0, file_name.find(".ko")));
    std::ranges::replace(name, '-', '_');
    return name;
}

Result<DkmsConf> parse_dkms_conf(std::string_view text, const std::string& path) {
    const auto refuse = [&](std::string message) {
        return std::unexpected(Error{
            .code = ErrorCode::malformed, .subject = path, .message = std::move(message), .file = path});
    };
    if (text.size() > max_text) return refuse("larger than the limit of 1 MiB");
    if (text.find('\0') != std::string_view::npos) return refuse("holds a NUL octet");
    DkmsConf conf;
    conf.path = path;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        const auto equals = line.find('=');
        if (line.empty() || line.front() == '#' || equals == std::string_view::npos) continue;
        assign(line.substr(0, equals), unquoted(line.substr(equals + 1)), conf);
    }
    return conf;
}

}  // namespace pve_rdma::ofed
