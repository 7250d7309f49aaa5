// Archives as they stream by, in pieces of any size.
#include <gtest/gtest.h>

#include "guard/tar_names.h"

namespace pve_rdma::guard {
namespace {

std::string block(std::string text, std::size_t size) {
    text.resize((size + 511) / 512 * 512);
    return text;
}

std::string member(const std::string& name, char kind = '0', const std::string& data = "",
                   const std::string& prefix = "") {
    std::string header(512, '\0');
    header.replace(0, std::min<std::size_t>(name.size(), 100), name.substr(0, 100));
    char size[13];
    std::snprintf(size, sizeof size, "%011zo", data.size());
    header.replace(124, 11, size);
    header[156] = kind;
    header.replace(257, 5, "ustar");
    header.replace(345, prefix.size(), prefix);
    return header + block(data, data.size());
}

const std::string end(1024, '\0');
const std::string long_name = "./usr/share/" + std::string(150, 'x');

TEST(TarNames, AreThoseOfFilesAndLinks) {
    const std::string archive = member("./", '5') + member("./usr/", '5') +
                                member("./usr/lib/libx.so.1.0", '0', std::string(700, 'd')) +
                                member("./lib/libx.so.1", '2') +
                                member("././@LongLink", 'L', long_name + '\0') + member("cut", '0', "data") +
                                member("name", '1', "", "./opt/a") + end;
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{512}, archive.size()}) {
        TarNames tar;
        for (std::size_t at = 0; at < archive.size(); at += piece)
            EXPECT_TRUE(tar.feed(std::string_view(archive).substr(at, piece)));
        EXPECT_TRUE(tar.complete());
        EXPECT_EQ(tar.names(), (std::vector<std::string>{"/lib/libx.so.1.0", "/lib/libx.so.1",
                                                         long_name.substr(1), "/opt/a/name"}));
    }
}

TEST(TarNames, RefuseWhatIsNoArchive) {
    TarNames cut, noise, large;
    EXPECT_TRUE(cut.feed(member("./a", '0', "data").substr(0, 600)));
    EXPECT_FALSE(cut.complete());
    EXPECT_FALSE(noise.feed(std::string(512, 'x')));
    EXPECT_FALSE(noise.complete());
    std::string huge = member("x", 'L');
    huge.replace(124, 11, "77777777777");
    EXPECT_FALSE(large.feed(huge));
}

TEST(TarNames, OneFileHasOneName) {
    EXPECT_EQ(listed_name("./lib/x"), "/lib/x");
    EXPECT_EQ(listed_name("/usr/lib/x"), "/lib/x");
    EXPECT_EQ(listed_name("usr/lib/x"), "/usr/lib/x");  // dpkg's own names always have a root
    EXPECT_EQ(listed_name("/usr/share/x"), "/usr/share/x");
    EXPECT_EQ(listed_name("/usr/library/x"), "/usr/library/x");
    EXPECT_EQ(listed_name(""), "/");
}

}  // namespace
}  // namespace pve_rdma::guard
