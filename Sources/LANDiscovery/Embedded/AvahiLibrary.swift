#if os(Linux)
    import CAvahiCore

    /// The functions of Avahi's responder library, found at run time (CDNSSD/shim.h says why).
    struct AvahiLibrary {
        let simplePollNew: avahi_simple_poll_new_function
        let simplePollFree: avahi_simple_poll_free_function
        let simplePollGet: avahi_simple_poll_get_function
        let simplePollIterate: avahi_simple_poll_iterate_function
        let strerror: avahi_strerror_function
        let strdup: avahi_strdup_function
        let free: avahi_free_function
        let stringListAdd: avahi_string_list_add_function
        let stringListAddArbitrary: avahi_string_list_add_arbitrary_function
        let stringListFree: avahi_string_list_free_function
        let stringListGetNext: avahi_string_list_get_next_function
        let stringListGetSize: avahi_string_list_get_size_function
        let stringListGetText: avahi_string_list_get_text_function
        let serviceNameJoin: avahi_service_name_join_function
        let setLogFunction: avahi_set_log_function_function
        let serverConfigInit: avahi_server_config_init_function
        let serverConfigFree: avahi_server_config_free_function
        let serverNew: avahi_server_new_function
        let serverFree: avahi_server_free_function
        let serverErrno: avahi_server_errno_function
        let serverAddAddress: avahi_server_add_address_function
        let serverAddServiceList: avahi_server_add_service_strlst_function
        let serverUpdateServiceTxtList: avahi_server_update_service_txt_strlst_function
        let entryGroupNew: avahi_s_entry_group_new_function
        let entryGroupFree: avahi_s_entry_group_free_function
        let entryGroupCommit: avahi_s_entry_group_commit_function
        let entryGroupReset: avahi_s_entry_group_reset_function
        let keyNew: avahi_key_new_function
        let keyUnref: avahi_key_unref_function
        let serviceBrowserNew: avahi_s_service_browser_new_function
        let serviceBrowserFree: avahi_s_service_browser_free_function
        let recordBrowserNew: avahi_s_record_browser_new_function
        let recordBrowserFree: avahi_s_record_browser_free_function

        /// Opens the library; it stays open for the life of the process.
        init() throws(BackendError) {
            let library = try SharedLibrary("libavahi-core.so.7", package: "libavahi-core7")
            simplePollNew = try library.function("avahi_simple_poll_new")
            simplePollFree = try library.function("avahi_simple_poll_free")
            simplePollGet = try library.function("avahi_simple_poll_get")
            simplePollIterate = try library.function("avahi_simple_poll_iterate")
            strerror = try library.function("avahi_strerror")
            strdup = try library.function("avahi_strdup")
            free = try library.function("avahi_free")
            stringListAdd = try library.function("avahi_string_list_add")
            stringListAddArbitrary = try library.function("avahi_string_list_add_arbitrary")
            stringListFree = try library.function("avahi_string_list_free")
            stringListGetNext = try library.function("avahi_string_list_get_next")
            stringListGetSize = try library.function("avahi_string_list_get_size")
            stringListGetText = try library.function("avahi_string_list_get_text")
            serviceNameJoin = try library.function("avahi_service_name_join")
            setLogFunction = try library.function("avahi_set_log_function")
            serverConfigInit = try library.function("avahi_server_config_init")
            serverConfigFree = try library.function("avahi_server_config_free")
            serverNew = try library.function("avahi_server_new")
            serverFree = try library.function("avahi_server_free")
            serverErrno = try library.function("avahi_server_errno")
            serverAddAddress = try library.function("avahi_server_add_address")
            serverAddServiceList = try library.function("avahi_server_add_service_strlst")
            serverUpdateServiceTxtList = try library.function("avahi_server_update_service_txt_strlst")
            entryGroupNew = try library.function("avahi_s_entry_group_new")
            entryGroupFree = try library.function("avahi_s_entry_group_free")
            entryGroupCommit = try library.function("avahi_s_entry_group_commit")
            entryGroupReset = try library.function("avahi_s_entry_group_reset")
            keyNew = try library.function("avahi_key_new")
            keyUnref = try library.function("avahi_key_unref")
            serviceBrowserNew = try library.function("avahi_s_service_browser_new")
            serviceBrowserFree = try library.function("avahi_s_service_browser_free")
            recordBrowserNew = try library.function("avahi_s_record_browser_new")
            recordBrowserFree = try library.function("avahi_s_record_browser_free")
        }

        /// The text of an error code.
        func sentence(_ error: Int32) -> String {
            strerror(error).map { String(cString: $0) } ?? "error \(error)"
        }
    }
#endif
