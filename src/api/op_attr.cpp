// SPDX-License-Identifier: Apache-2.0
// Attributes of operators.
#include "api/op_attr.h"

#include "api/call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

Answer Set(aclopAttr* attr, const char* attrName, runtime::OperatorAttribute value) {
  ACL_REQUIRE(attr);
  ACL_REQUIRE(attrName);
  attr->values[attrName] = std::move(value);
  return {};
}

/// A list as `To`; `values` may be null for an empty list only.
template <class To, class From>
Answer SetList(aclopAttr* attr, const char* attrName, int numValues, const From* values) {
  if (numValues < 0) return InvalidArgument("numValues", numValues, "it must not be negative");
  if (numValues > 0) ACL_REQUIRE(values);
  return Set(attr, attrName, std::vector<To>(values, values + numValues));
}

}  // namespace

aclopAttr* aclopCreateAttr() {
  return GuardValue<aclopAttr*>("aclopCreateAttr", nullptr, [](auto& attr) -> Answer {
    attr = new aclopAttr;
    return {};
  });
}

void aclopDestroyAttr(const aclopAttr* attr) { delete attr; }

aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  return Guard("aclopSetAttrBool", [&] { return Set(attr, attrName, int64_t{attrValue != 0}); });
}

aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  return Guard("aclopSetAttrInt", [&] { return Set(attr, attrName, attrValue); });
}

aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  return Guard("aclopSetAttrFloat", [&] { return Set(attr, attrName, double{attrValue}); });
}

aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  return Guard("aclopSetAttrString", [&]() -> Answer {
    ACL_REQUIRE(attrValue);
    return Set(attr, attrName, std::string(attrValue));
  });
}

aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue) {
  return Guard("aclopSetAttrDataType",
               [&] { return Set(attr, attrName, int64_t{static_cast<int>(attrValue)}); });
}

aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                              const uint8_t* values) {
  return Guard("aclopSetAttrListBool",
               [&] { return SetList<int64_t>(attr, attrName, numValues, values); });
}

aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                             const int64_t* values) {
  return Guard("aclopSetAttrListInt",
               [&] { return SetList<int64_t>(attr, attrName, numValues, values); });
}

aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                               const float* values) {
  return Guard("aclopSetAttrListFloat",
               [&] { return SetList<double>(attr, attrName, numValues, values); });
}

aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                  const aclDataType values[]) {
  return Guard("aclopSetAttrListDataType",
               [&] { return SetList<int64_t>(attr, attrName, numValues, values); });
}

// No operator here reads lists of strings or of lists; they take part in comparing calls.
aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues,
                                const char** values) {
  return Guard("aclopSetAttrListString", [&]() -> Answer {
    if (numValues < 0) return InvalidArgument("numValues", numValues, "it must not be negative");
    if (numValues > 0) ACL_REQUIRE(values);
    std::string joined;
    for (int i = 0; i < numValues; ++i) {
      ACL_REQUIRE(values[i]);
      joined += StrCat(std::string(values[i]).size(), ":", values[i]);
    }
    return Set(attr, attrName, std::move(joined));
  });
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists,
                                 const int* numValues, const int64_t* const values[]) {
  return Guard("aclopSetAttrListListInt", [&]() -> Answer {
    if (numLists < 0) return InvalidArgument("numLists", numLists, "it must not be negative");
    if (numLists > 0) {
      ACL_REQUIRE(numValues);
      ACL_REQUIRE(values);
    }
    std::vector<int64_t> flat;
    for (int i = 0; i < numLists; ++i) {
      if (numValues[i] > 0) ACL_REQUIRE(values[i]);
      flat.push_back(numValues[i]);
      flat.insert(flat.end(), values[i], values[i] + numValues[i]);
    }
    return Set(attr, attrName, std::move(flat));
  });
}
