// A file that exists and cannot be read is named with its errno; nothing that is missing is missing silently.
#include <sys/mount.h>
#include <sys/wait.h>

#include <sched.h>
#include <unistd.h>

#include "observe/sysfs.h"
#include "observed_tree.h"

namespace pve_rdma {
namespace {

using namespace std::string_literals;

// A process of its own in mount namespaces of its own, where files of the kernel that fail on read stand in
// for those of a card. `observe` runs in it; what it writes comes back.
std::string in_own_mounts(const std::vector<std::pair<std::string, std::string>>& binds,
                          std::string (*observe)(const std::string&), const std::string& root) {
    int ends[2];
    if (::pipe(ends) != 0) return "pipe";
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        std::string text = "skip";
        const bool own = ::unshare(::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
                         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
        bool bound = own;
        for (const auto& [from, to] : binds)
            bound = bound && ::mount(from.c_str(), to.c_str(), nullptr, MS_BIND, nullptr) == 0;
        if (bound) text = observe(root);
        for (std::size_t done = 0; done < text.size();) {
            const auto wrote = ::write(ends[1], text.data() + done, text.size() - done);
            if (wrote <= 0) break;
            done += static_cast<std::size_t>(wrote);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? text : "the child was killed"s;
}

std::string devices_of(const std::string& root) {
    NodeScope scope;
    scope.sections = {"devices"};
    return report_json(observe_node(*Machine::open(root), scope));
}

TEST(Unreadable, RateWithoutCableIsUnreadWithEinval) {
    const fixtures::Tree tree("connectx3");
    const auto port = tree.path("sys/devices/pci0000:80/0000:80:02.2/0000:82:00.0/infiniband/mlx4_0/ports/1");
    const auto text = in_own_mounts({{"/sys/class/net/lo/speed", (port / "rate").string()},  // EINVAL
                                     {"/sys/class/net/lo/speed", (port / "gids/3").string()},
                                     {"/proc/self/mem", (port / "lid").string()}},  // EIO
                                    devices_of, tree.root());
    if (text == "skip") GTEST_SKIP() << "no mount namespaces here";
    const auto report = parse_report(text, "child");
    ASSERT_TRUE(report) << report.error().text() << text;
    const std::string folder = "/sys/class/infiniband/mlx4_0/ports/1/";
    EXPECT_EQ(unread(*report), (std::vector<std::string>{folder + "lid EIO", folder + "rate EINVAL"}))
        << "an entry of the GID table that is not set answers EINVAL too, and is no failure";
    const Port& found = report->devices.at(0).ports.at(0);
    EXPECT_EQ(found.rate, std::nullopt);
    EXPECT_EQ(found.lid, std::nullopt);
    EXPECT_EQ(found.state, "ACTIVE");
    EXPECT_EQ(found.gids.size(), 1u);
}

TEST(Unreadable, AFileOfRootIsNamed) {
    const fixtures::Tree tree("connectx3");
    std::filesystem::permissions(tree.root(), std::filesystem::perms::all);
    const auto board =
        tree.path("sys/devices/pci0000:80/0000:80:02.2/0000:82:00.0/infiniband/mlx4_0/board_id");
    std::filesystem::permissions(board, std::filesystem::perms::none);
    // Opened before the change of user: the folders above the tree may be closed to others.
    const auto machine = Machine::open(std::filesystem::path(tree.root()).string());
    ASSERT_TRUE(machine);
    NodeScope scope;
    scope.sections = {"devices"};
    const bool root = ::geteuid() == 0;
    constexpr uid_t nobody = 65534;
    if (root && ::seteuid(nobody) != 0) GTEST_SKIP() << "cannot be another user here";
    const NodeReport report = observe_node(*machine, scope);
    ASSERT_TRUE(!root || ::seteuid(0) == 0);
    EXPECT_EQ(unread(report), std::vector<std::string>{"/sys/class/infiniband/mlx4_0/board_id EACCES"});
    EXPECT_EQ(report.sources.at("sysfs").unread.at(0).hint, "read it as root");
    EXPECT_EQ(report.devices.at(0).board_id, std::nullopt);
    EXPECT_EQ(report.devices.at(0).hca_type, "MT4099");
}

TEST(Unreadable, AnythingElseThanAFileIsNamed) {
    fixtures::Tree tree("odd");
    tree.add("sys/class/infiniband/mlx4_1/fw_ver/");
    tree.add("sys/class/infiniband/mlx4_1/hca_type -> hca_type");
    tree.add("sys/class/infiniband/mlx4_1/board_id -> ../../../../../../../../etc/hostname");
    const NodeReport report = observe_tree(tree, {"devices"});
    EXPECT_EQ(unread(report, "mlx4_1"),
              (std::vector<std::string>{"/sys/class/infiniband/mlx4_1/fw_ver EISDIR",
                                        "/sys/class/infiniband/mlx4_1/hca_type ELOOP"}))
        << "the link that leads out of the tree leads to nothing";
}

TEST(Unreadable, AHugeFileIsRefusedAndNamed) {
    fixtures::Tree tree("odd");
    tree.write("sys/class/infiniband/mlx4_1/node_desc", std::string(1 << 20, 'x'));
    const NodeReport report = observe_tree(tree, {"devices"});
    EXPECT_EQ(unread(report, "node_desc"),
              std::vector<std::string>{"/sys/class/infiniband/mlx4_1/node_desc malformed"});
}

}  // namespace
}  // namespace pve_rdma
