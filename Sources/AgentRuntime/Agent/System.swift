import LANTransport
import Libc
import SyncProtocol

extension DeviceCredentials: DeviceSigner {}

extension HearthHome {
    /// The control socket for this process's user and environment.
    package var socketHere: String { socket(environment: SystemEnvironment.all, user: getuid()) }
}

enum SystemEnvironment {
    /// The variables that decide where things are.
    static var all: [String: String] {
        var result: [String: String] = [:]
        for name in ["XDG_RUNTIME_DIR"] {
            if let value = getenv(name) { result[name] = String(cString: value) }
        }
        return result
    }
}

/// What this machine calls itself, without its domain; `device` where it has no name.
func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
    let bytes = buffer.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? "device" : String(decoding: bytes.prefix(64), as: UTF8.self)
}
