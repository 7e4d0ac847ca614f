#pragma once
#include <dns_sd.h>

// On Linux the library is opened at run time, so that the program also starts where Avahi is not installed, and because
// libavahi-client (under libdns_sd) and libavahi-core both export a function `avahi_entry_group_free` that takes
// different arguments: linked into one program the second calls the first one's and the process ends.
// These are the types of the functions that are looked up by name.
#define HEARTH_FUNCTION_TYPE(function) typedef __typeof__(&function) function##Function
HEARTH_FUNCTION_TYPE(DNSServiceRefSockFD);
HEARTH_FUNCTION_TYPE(DNSServiceProcessResult);
HEARTH_FUNCTION_TYPE(DNSServiceRefDeallocate);
HEARTH_FUNCTION_TYPE(DNSServiceRegister);
HEARTH_FUNCTION_TYPE(DNSServiceUpdateRecord);
HEARTH_FUNCTION_TYPE(DNSServiceBrowse);
HEARTH_FUNCTION_TYPE(DNSServiceResolve);
HEARTH_FUNCTION_TYPE(DNSServiceQueryRecord);
#undef HEARTH_FUNCTION_TYPE
