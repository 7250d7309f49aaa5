// Dumps that are consistent, or say that they are not.
//
// A dump is many datagrams; the kernel's tables may change between two of them, and NLM_F_DUMP_INTR tells of
// few of those changes (not of MTUs, names, routes, rules). So: subscribe to the tables' events first, dump,
// then drain what arrived meanwhile; a dump that an event touched, that was interrupted, or during which
// messages were lost (ENOBUFS) is made again. After `rounds` rounds the last answer stands and an Error
// tells. Threads: as the transport. Time: each receive waits at most as long as the transport does.
#pragma once

#include <functional>

#include "base/error.h"
#include "observe/netlink_message.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

struct NetlinkDump {
    std::string what{};  // for errors: "RTM_GETLINK"
    NetlinkRequest request;
    std::function<void()> start_over{};                     // forget what an earlier round gave
    std::function<void(const NetlinkMessage&)> message{};   // one message of the answer
    std::function<bool(const NetlinkMessage&)> stale_by{};  // this event means that the answer is old
    std::function<bool()> wanted{};                         // asked before each round; empty: always
};

struct DumpFailure {
    std::string what{};
    Error error{};
    bool incomplete = false;  // true: the answer stands, but changed while it was read
};

inline constexpr int default_dump_rounds = 6;

// Makes all the dumps; what failed comes back, each dump at most once.
std::vector<DumpFailure> run_dumps(NetlinkTransport&, std::span<NetlinkDump>,
                                   int rounds = default_dump_rounds);

// One request that is no dump. `message` gets each message of the answer.
// An error carries errno and the kernel's words (extended acknowledgement).
Result<void> ask(NetlinkTransport&, const std::string& what, NetlinkRequest,
                 const std::function<void(const NetlinkMessage&)>& message);

}  // namespace pve_rdma
