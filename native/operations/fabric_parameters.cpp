#include "operations/fabric_parameters.h"

#include <algorithm>

namespace pve_rdma {

std::vector<Parameter> with_fabric_parameters(std::vector<Parameter> own) {
    constexpr MadOptions defaults;
    const std::vector<Parameter> common{
        {.name = "ca",
         .description = "Ask from this HCA, as mlx4_0. Default: the first with an active InfiniBand port.",
         .placeholder = "NAME"},
        {.name = "port",
         .type = ParameterType::integer,
         .description = "Ask from this port of the HCA.",
         .placeholder = "N",
         .minimum = 1,
         .maximum = 254},
        {.name = "window",
         .type = ParameterType::integer,
         .description =
             "Most MADs on the wire at once. It begins with 4, grows on success and halves on a timeout.",
         .placeholder = "N",
         .minimum = 1,
         .maximum = 16,
         .default_value = defaults.window_max},
        {.name = "timeout_ms",
         .type = ParameterType::integer,
         .description =
             "Wait this long for the first answer; each retry waits twice as long as the one before.",
         .placeholder = "MS",
         .minimum = 1,
         .maximum = 10'000,
         .default_value = defaults.timeout_ms},
        {.name = "retries",
         .type = ParameterType::integer,
         .description = "Ask again this many times.",
         .placeholder = "N",
         .minimum = 0,
         .maximum = 10,
         .default_value = defaults.retries},
        {.name = "deadline_ms",
         .type = ParameterType::integer,
         .description = "Give up on the whole question after this time; what is missing then is said.",
         .placeholder = "MS",
         .minimum = 10,
         .maximum = 600'000,
         .default_value = defaults.deadline_ms},
    };
    own.insert(own.end(), common.begin(), common.end());
    return own;
}

PortChoice port_choice(const Request& request) {
    return {.ca = request.text("ca").value_or(""),
            .port = static_cast<std::uint32_t>(request.integer("port").value_or(0))};
}

MadOptions mad_options(const Request& request) {
    MadOptions options;
    const auto take = [&](const char* name, std::uint32_t& option) {
        if (const auto value = request.integer(name)) option = static_cast<std::uint32_t>(*value);
    };
    take("window", options.window_max);
    take("timeout_ms", options.timeout_ms);
    take("retries", options.retries);
    take("deadline_ms", options.deadline_ms);
    options.window_start = std::min(options.window_start, options.window_max);
    return options;
}

}  // namespace pve_rdma
