// storage.cfg: kinds and names, and nothing that tells where data lies or how to reach it.
#include "observe/storage.h"

#include "observed_tree.h"

namespace pve_rdma {
namespace {

constexpr const char* config =
    "dir: local\n\tpath /var/lib/vz\n\tcontent iso,vztmpl\n\n"
    "# a comment\nnfs: fast\n\tserver 192.0.2.9\n\texport /tank\n\toptions "
    "vers=4.2,proto=rdma,port=20049\n\tnodes a,b\n\n"
    "cifs: office\n\tserver files.example\n\tusername bob\n\tpassword secret\n\tdisable 1\n"
    "nonsense\n\tnodes x\nrbd: \n\tnodes y\n";

TEST(Storage, HasKindNameAndNodes) {
    const auto found = parse_storage_config(config);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0], (Storage{"local", "dir", {}, false, std::nullopt}));
    EXPECT_EQ(found[1], (Storage{"fast", "nfs", {"a", "b"}, false, true}));
    EXPECT_EQ(found[2], (Storage{"office", "cifs", {}, true, std::nullopt}));
}

TEST(Storage, TheReportHoldsNoServerAndNoSecret) {
    fixtures::Tree tree;
    tree.write("etc/pve/storage.cfg", config);
    const std::string text = report_json(observe_tree(tree, {"system"}));
    EXPECT_NE(text.find("office"), std::string::npos);
    for (const char* word : {"secret", "bob", "192.0.2.9", "files.example", "/tank"})
        EXPECT_EQ(text.find(word), std::string::npos) << word;
}

TEST(Storage, OfANodeWithoutProxmoxIsNoSource) {
    EXPECT_FALSE(observe_tree(fixtures::Tree(), {"system"}).sources.contains("storage"));
}

}  // namespace
}  // namespace pve_rdma
