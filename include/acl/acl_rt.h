// SPDX-License-Identifier: Apache-2.0
// The runtime interface: devices, contexts, streams, events, memory.
#ifndef CAIRN_ACL_ACL_RT_H_
#define CAIRN_ACL_ACL_RT_H_

#include "acl/acl_base.h"
#include "acl/rt/capture.h"
#include "acl/rt/device.h"
#include "acl/rt/kernel.h"
#include "acl/rt/memory.h"
#include "acl/rt/stream.h"

#endif  // CAIRN_ACL_ACL_RT_H_
