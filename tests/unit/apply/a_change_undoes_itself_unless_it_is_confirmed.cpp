// The life of a transaction while nothing fails; what happens when something does:
// faults_leave_no_third_state.cpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include "transaction_bed.h"

namespace pve_rdma {
namespace {

const std::string file = "/etc/network/interfaces";

class Transaction : public testing::Test {
  protected:
    Transaction() {
        bed.kernel.add_ethernet("nic0").flags.emplace_back("UP");
        bed.kernel.network().addresses.push_back(address("nic0", "192.0.2.1/24"));
        bed.disk.files[file] = "old";
        request.steps = {added(route("default", "192.0.2.254", "nic0", 100))};
        request.files = {{.path = file, .before = "old", .after = "new"}};
        request.connection = "198.51.100.7 40000";
    }

    bool is_new() {
        const bool both = bed.disk.files[file] == "new";
        EXPECT_EQ(bed.kernel.network().routes.size(), both ? 1U : 0U);
        return both;
    }
    static std::string state_of(const Result<TransactionView>& view) {
        return view ? view->state : view.error().text();
    }
    std::string begin() {
        const auto view = begin_transaction(bed.host, request);
        EXPECT_TRUE(view) << view.error().text();
        return view ? view->id : "";
    }

    Bed bed;
    TransactionRequest request;
};

TEST_F(Transaction, ConfirmedItStays) {
    const auto view = begin_transaction(bed.host, request);
    ASSERT_TRUE(view) << view.error().text();
    EXPECT_EQ(view->state, "pending");
    EXPECT_EQ(view->deadline_s, 120);
    EXPECT_EQ(view->steps, std::vector<std::string>{"add route default via 192.0.2.254 dev nic0 metric 100"});
    EXPECT_TRUE(is_new());
    EXPECT_TRUE(bed.watchdog.armed.contains(view->id));
    EXPECT_EQ(state_of(confirm_transaction(bed.host, "", "198.51.100.7 40001")), "confirmed");
    EXPECT_TRUE(bed.watchdog.armed.empty());
    EXPECT_EQ(state_of(bed.watch(view->id)), "confirmed");
    EXPECT_TRUE(is_new());
    EXPECT_EQ(state_of(confirm_transaction(bed.host, view->id, "")), "confirmed") << "twice is once";
}

TEST_F(Transaction, NotConfirmedItIsUndoneWhenItsTimeIsOver) {
    const std::string id = begin();
    const auto before = bed.time;
    EXPECT_EQ(state_of(bed.watch(id)), "restored");
    EXPECT_EQ(bed.time - before, std::chrono::seconds(120));
    EXPECT_FALSE(is_new());
    EXPECT_TRUE(bed.watchdog.armed.empty());
    const auto late = confirm_transaction(bed.host, id, "");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::conflict);
}

TEST_F(Transaction, TheConnectionThatAskedForItCannotConfirmIt) {
    const std::string id = begin();
    const auto refused = confirm_transaction(bed.host, id, request.connection);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_EQ(state_of(confirm_transaction(bed.host, id, "")), "confirmed");
}

TEST_F(Transaction, AfterItsTimeItCannotBeConfirmed) {
    const std::string id = begin();
    bed.time += std::chrono::seconds(120);
    EXPECT_FALSE(confirm_transaction(bed.host, id, ""));
    EXPECT_EQ(state_of(bed.watch(id)), "restored");
}

TEST_F(Transaction, WhatNeedsNoConfirmationIsConfirmedOnceVerified) {
    request.confirm_within = std::chrono::seconds(0);
    EXPECT_EQ(state_of(begin_transaction(bed.host, request)), "confirmed");
    EXPECT_TRUE(bed.watchdog.armed.empty());
    EXPECT_TRUE(is_new());
}

TEST_F(Transaction, OnlyOneIsOpen) {
    const std::string id = begin();
    TransactionRequest other;
    other.steps = {set("nic0", "mtu", "1500", "9000")};
    const auto refused = begin_transaction(bed.host, other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_EQ(refused.error().subject, id);
    ASSERT_TRUE(roll_back_transaction(bed.host, id));
    EXPECT_TRUE(begin_transaction(bed.host, other));
}

TEST_F(Transaction, WhatVerificationRefusesIsUndoneAtOnce) {
    request.verify = [] {
        return std::unexpected(
            Error{.code = ErrorCode::timeout, .subject = "192.0.2.254", .message = "silent"});
    };
    const auto failed = begin_transaction(bed.host, request);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().text(), "192.0.2.254: silent; all is as it was before");
    EXPECT_FALSE(is_new());
    EXPECT_TRUE(bed.watchdog.armed.empty());
    const auto listed = list_transactions(bed.host);
    ASSERT_EQ(listed->size(), 1U);
    EXPECT_EQ(listed->front().state, "restored");
    EXPECT_EQ(listed->front().notes, std::vector<std::string>{"192.0.2.254: silent"});
}

TEST_F(Transaction, WhatTheKernelTakesAndDoesNotDoIsNotDone) {
    bed.kernel.add_ipoib("ib0");  // its group carries 2044
    request.steps.push_back(set("ib0", "mtu", "2044", "4092"));
    const auto failed = begin_transaction(bed.host, request);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().subject, "set mtu of ib0 to 4092 (now 2044)");
    EXPECT_FALSE(is_new());
}

TEST_F(Transaction, WhatIsConfirmedCanBeUndoneLater) {
    const std::string id = begin();
    ASSERT_TRUE(confirm_transaction(bed.host, id, ""));
    bed.time += std::chrono::hours(24);
    EXPECT_EQ(state_of(roll_back_transaction(bed.host, id)), "restored");
    EXPECT_FALSE(is_new());
    EXPECT_EQ(state_of(roll_back_transaction(bed.host, id)), "restored") << "twice is once";
}

TEST_F(Transaction, AFileThatSomebodyElseHasChangedIsLeft) {
    const std::string id = begin();
    bed.disk.files[file] = "theirs";
    const auto view = roll_back_transaction(bed.host, id);
    EXPECT_EQ(state_of(view), "restored");
    EXPECT_EQ(view->notes, std::vector<std::string>{file + ": left as it is (somebody else has changed it)"});
    EXPECT_EQ(bed.disk.files[file], "theirs");
    EXPECT_TRUE(bed.kernel.network().routes.empty());
}

TEST_F(Transaction, AnObjectThatSomebodyElseHasChangedIsLeft) {
    const std::string id = begin();
    const RouteEntry theirs = route("default", "192.0.2.253", "nic0", 100);
    bed.kernel.network().routes = {theirs};
    const auto view = roll_back_transaction(bed.host, id);
    EXPECT_EQ(state_of(view), "restored");
    EXPECT_EQ(bed.kernel.network().routes, std::vector{theirs});
}

TEST_F(Transaction, OfALinkThatHasGoneTheRestIsRestored) {
    bed.kernel.add_ethernet("nic1");
    request.steps.push_back(set("nic1", "mtu", "1500", "9000"));
    const std::string id = begin();
    std::erase_if(bed.kernel.network().links, [](const Link& link) { return link.ifname == "nic1"; });
    const auto view = roll_back_transaction(bed.host, id);
    EXPECT_EQ(state_of(view), "restored");
    ASSERT_EQ(view->notes.size(), 1U);
    EXPECT_TRUE(view->notes.front().contains("gone")) << view->notes.front();
    EXPECT_FALSE(is_new());
}

TEST_F(Transaction, AtAnotherBootTheFilesAreRestoredBeforeTheNetworkIsMade) {
    const std::string id = begin();
    EXPECT_TRUE(recover_transactions(bed.host).empty()) << "not while its own boot lasts";
    bed.kernel.network() = {};
    bed.host.boot_id = "second boot";
    const auto recovered = recover_transactions(bed.host);
    ASSERT_EQ(recovered.size(), 1U);
    EXPECT_EQ(recovered.front().id, id);
    EXPECT_EQ(recovered.front().state, "restored");
    EXPECT_EQ(bed.disk.files[file], "old");
    EXPECT_TRUE(recover_transactions(bed.host).empty());
}

TEST_F(Transaction, FilesComeAndGoOctetByOctet) {
    const std::string octets("\xff\0\n\xc3", 4), made = "/etc/sysctl.d/pve-rdma.conf", gone = "/etc/gone";
    bed.disk.files[gone] = octets;
    request.files = {{.path = gone, .before = octets, .after = {}},
                     {.path = made, .before = {}, .after = octets}};
    const std::string id = begin();
    EXPECT_FALSE(bed.disk.files.contains(gone));
    EXPECT_EQ(bed.disk.files[made], octets);
    EXPECT_EQ(state_of(roll_back_transaction(bed.host, id)), "restored");
    EXPECT_EQ(bed.disk.files[gone], octets);
    EXPECT_FALSE(bed.disk.files.contains(made));
}

// An IPoIB interface cannot have its large MTU again before the subnet manager has started again.
TEST_F(Transaction, WhatWaitsForAServiceIsUndoneAfterIt) {
    int pauses_since_start = -1;
    bed.kernel.allow = [&](const Step& one) -> Result<void> {
        const bool back = one.setting && one.setting->after && one.setting->after->value == "1500";
        if (!back || pauses_since_start > 2) return {};
        return std::unexpected(errno_error(EINVAL, "nic0", "the group carries less"));
    };
    std::vector<std::string> restarted;
    bed.host.restart = [&](const std::string& unit) -> Result<void> {
        restarted.push_back(unit + " " + bed.disk.files["/etc/opensm/partitions.conf"]);
        pauses_since_start = 0;
        return {};
    };
    bed.host.pause = [&](auto) { ++pauses_since_start; };
    bed.disk.files["/etc/opensm/partitions.conf"] = "4K";
    request.steps = {set("nic0", "mtu", "1500", "1400")};
    request.files = {
        {.path = "/etc/opensm/partitions.conf", .before = "4K", .after = "2K", .service = "opensm.service"}};
    const std::string id = begin();
    pauses_since_start = -1;
    const auto undone = roll_back_transaction(bed.host, id);
    EXPECT_EQ(state_of(undone), "restored");
    EXPECT_EQ(restarted, (std::vector<std::string>{"opensm.service 2K", "opensm.service 4K"}));
    EXPECT_EQ(bed.kernel.network().find("nic0")->mtu, 1500u);
}

TEST_F(Transaction, TwentyAreKept) {
    request.confirm_within = std::chrono::seconds(0);
    for (int i = 0; i < 25; ++i) {
        const std::string from = std::to_string(1500 + i), to = std::to_string(1501 + i);
        request.steps = {set("nic0", "mtu", from, to)};
        request.files.clear();
        begin();
    }
    EXPECT_EQ(list_transactions(bed.host)->size(), 20U);
}

TEST_F(Transaction, WhatIsNoIdIsNotLookedFor) {
    for (const char* id : {"../etc", "a/b", ".", "x\n"}) {
        const auto refused = roll_back_transaction(bed.host, id);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::not_found);
    }
    EXPECT_EQ(roll_back_transaction(bed.host, "").error().message, "no transaction is open");
}

TEST_F(Transaction, TheWatchdogWaitsForWhoeverHoldsTheLocks) {
    const std::string id = begin();
    int refusals = 3, said = 0;
    bed.host.lock = [&]() -> Result<TransactionHost::Locks> {
        if (refusals-- > 0)
            return std::unexpected(Error{.code = ErrorCode::conflict, .subject = "lock", .message = "held"});
        return TransactionHost::Locks{};
    };
    const auto view =
        watch_transaction(bed.host, id,
                          {.sleep = [this](std::chrono::nanoseconds pause) { bed.time += pause; },
                           .say = [&](const Error&) { ++said; }});
    EXPECT_EQ(state_of(view), "restored");
    EXPECT_EQ(said, 3);
}

TEST_F(Transaction, WhoHangsInTheMiddleIsEnded) {
    bed.faults.fault = {.at = 14, .killed = true};
    EXPECT_THROW(std::ignore = begin_transaction(bed.host, request), Killed);
    bed.all_is_well();
    const std::string id = list_transactions(bed.host)->front().id;
    std::vector<std::int64_t> ended;
    bed.host.lock = [&]() -> Result<TransactionHost::Locks> {
        if (ended.empty())
            return std::unexpected(Error{.code = ErrorCode::conflict, .subject = "lock", .message = "held"});
        return TransactionHost::Locks{};
    };
    const auto view =
        watch_transaction(bed.host, id,
                          {.sleep = [this](std::chrono::nanoseconds pause) { bed.time += pause; },
                           .say = [](const Error&) {},
                           .end = [&](const Process& process) { ended.push_back(process.number); }});
    EXPECT_EQ(ended, std::vector<std::int64_t>{::getpid()});
    EXPECT_EQ(state_of(view), "restored");
    EXPECT_FALSE(is_new());
}

}  // namespace
}  // namespace pve_rdma
