// What the `config` operations share: the FILE they are about, read with all it sources.
#pragma once

#include "eni/diagnostic.h"
#include "eni/view.h"
#include "observe/interfaces_file.h"
#include "operations/config_reply.h"
#include "operations/operation.h"
#include "operations/reply.h"
#include "operations/request.h"

namespace pve_rdma {

Parameter config_file_parameter();

// The absolute path that the request names; /etc/network/interfaces when it names none.
std::string config_path(const Request&);

Result<eni::View> read_config(const std::string& path);
std::string config_digest(const eni::View&);

// Digest, facts and findings. `rendered` stays empty.
ConfigReply config_reply(const eni::View&, const std::vector<eni::Diagnostic>&);
std::string render_findings(const eni::View&, const std::vector<eni::Diagnostic>&);

bool has_error(const std::vector<eni::Diagnostic>&);

}  // namespace pve_rdma
