#pragma once
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <avahi-core/core.h>
#include <avahi-core/log.h>
#include <avahi-core/lookup.h>
#include <avahi-core/publish.h>

// The library is opened at run time; CDNSSD/shim.h says why. These are the types of the functions that are looked up.
#define HEARTH_FUNCTION_TYPE(function) typedef __typeof__(&function) function##_function
HEARTH_FUNCTION_TYPE(avahi_simple_poll_new);
HEARTH_FUNCTION_TYPE(avahi_simple_poll_free);
HEARTH_FUNCTION_TYPE(avahi_simple_poll_get);
HEARTH_FUNCTION_TYPE(avahi_simple_poll_iterate);
HEARTH_FUNCTION_TYPE(avahi_strerror);
HEARTH_FUNCTION_TYPE(avahi_strdup);
HEARTH_FUNCTION_TYPE(avahi_free);
HEARTH_FUNCTION_TYPE(avahi_set_allocator);
HEARTH_FUNCTION_TYPE(avahi_string_list_add);
HEARTH_FUNCTION_TYPE(avahi_string_list_add_arbitrary);
HEARTH_FUNCTION_TYPE(avahi_string_list_free);
HEARTH_FUNCTION_TYPE(avahi_string_list_get_next);
HEARTH_FUNCTION_TYPE(avahi_string_list_get_size);
HEARTH_FUNCTION_TYPE(avahi_string_list_get_text);
HEARTH_FUNCTION_TYPE(avahi_service_name_join);
HEARTH_FUNCTION_TYPE(avahi_set_log_function);
HEARTH_FUNCTION_TYPE(avahi_server_config_init);
HEARTH_FUNCTION_TYPE(avahi_server_config_free);
HEARTH_FUNCTION_TYPE(avahi_server_new);
HEARTH_FUNCTION_TYPE(avahi_server_free);
HEARTH_FUNCTION_TYPE(avahi_server_errno);
HEARTH_FUNCTION_TYPE(avahi_server_add_address);
HEARTH_FUNCTION_TYPE(avahi_server_add_service_strlst);
HEARTH_FUNCTION_TYPE(avahi_server_update_service_txt_strlst);
HEARTH_FUNCTION_TYPE(avahi_s_entry_group_new);
HEARTH_FUNCTION_TYPE(avahi_s_entry_group_free);
HEARTH_FUNCTION_TYPE(avahi_s_entry_group_commit);
HEARTH_FUNCTION_TYPE(avahi_s_entry_group_reset);
HEARTH_FUNCTION_TYPE(avahi_key_new);
HEARTH_FUNCTION_TYPE(avahi_key_unref);
HEARTH_FUNCTION_TYPE(avahi_s_service_browser_new);
HEARTH_FUNCTION_TYPE(avahi_s_service_browser_free);
HEARTH_FUNCTION_TYPE(avahi_s_record_browser_new);
HEARTH_FUNCTION_TYPE(avahi_s_record_browser_free);
#undef HEARTH_FUNCTION_TYPE
