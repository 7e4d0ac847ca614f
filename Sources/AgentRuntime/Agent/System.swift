import LANTransport
import Libc
import SyncProtocol

extension DeviceCredentials: DeviceSigner {}

extension HearthHome {
    /// The control socket for this process's user and environment.
    package var socketHere: String { socket(environment: SystemEnvironment.all, user: getuid()) }
}

enum SystemEnvironment {
    /// The environment variables that decide where the control socket and the desktop are, and those by which a service
    /// manager says where and how often it wants to hear of the agent.
    static var all: [String: String] {
        var result: [String: String] = [:]
        let names = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
        for name in names {
            if let value = getenv(name) { result[name] = String(cString: value) }
        }
        return result
    }
}

/// The machine's host name without its domain, at most 64 bytes; `device` where it has none.
func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
    let bytes = buffer.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? "device" : String(decoding: bytes.prefix(64), as: UTF8.self)
}
