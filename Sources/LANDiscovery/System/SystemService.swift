/// The system's discovery service in the words of a player, where it does not serve.
enum SystemService {
    #if canImport(Darwin)
        private static let name = "mDNSResponder"
        private static let remedy = "start this machine again"
        private static let command: String? = nil
    #else
        private static let name = "avahi-daemon"
        private static let remedy = "start it again, or start the agent without '--discovery system'"
        private static let command: String? = "sudo systemctl restart avahi-daemon"
    #endif

    /// - Parameter what: What it does or did, as a clause without its subject.
    static func error(_ what: String) -> BackendError {
        BackendError(sentence: "the system's discovery service (\(name)) \(what); \(remedy)", command: command)
    }
}
