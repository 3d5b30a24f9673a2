// SPDX-License-Identifier: Apache-2.0
// Versions and abilities of the software.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "acl/acl_rt.h"
#include "api/call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

constexpr int kMajor = CAIRN_VERSION_MAJOR, kMinor = CAIRN_VERSION_MINOR,
              kPatch = CAIRN_VERSION_PATCH;

std::string Version() { return StrCat(kMajor, ".", kMinor, ".", kPatch); }

template <size_t kSize>
void Copy(const std::string& text, char (&target)[kSize]) {
  std::memset(target, 0, kSize);
  std::memcpy(target, text.data(), std::min(text.size(), kSize - 1));
}

constexpr std::array<aclCannAttr, 1> kAbilities{ACL_CANN_ATTR_INF_NAN};

}  // namespace

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return Guard("aclrtGetVersion", [&]() -> Answer {
    ACL_REQUIRE(majorVersion);
    ACL_REQUIRE(minorVersion);
    ACL_REQUIRE(patchVersion);
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
    return {};
  });
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return Guard("aclsysGetVersionNum", [&]() -> Answer {
    ACL_REQUIRE(pkgName);
    ACL_REQUIRE(versionNum);
    *versionNum = kMajor * 10000000 + kMinor * 100000 + kPatch * 1000;
    return {};
  });
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return Guard("aclsysGetVersionStr", [&]() -> Answer {
    ACL_REQUIRE(pkgName);
    ACL_REQUIRE(versionStr);
    std::strcpy(versionStr, Version().c_str());
    return {};
  });
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return Guard("aclsysGetCANNVersion", [&]() -> Answer {
    ACL_REQUIRE(version);
    if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
      return InvalidArgument("name", static_cast<int>(name), "it is no known package");
    *version = {};
    Copy(Version(), version->version);
    Copy(std::to_string(kMajor), version->majorVersion);
    Copy(std::to_string(kMinor), version->minorVersion);
    Copy("0", version->releaseVersion);
    Copy(std::to_string(kPatch), version->patchVersion);
    return {};
  });
}

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return Guard("aclGetCannAttributeList", [&]() -> Answer {
    ACL_REQUIRE(cannAttrList);
    ACL_REQUIRE(num);
    *cannAttrList = kAbilities.data();
    *num = kAbilities.size();
    return {};
  });
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return Guard("aclGetCannAttribute", [&]() -> Answer {
    ACL_REQUIRE(value);
    *value = std::find(kAbilities.begin(), kAbilities.end(), cannAttr) != kAbilities.end() ? 1 : 0;
    return {};
  });
}
