import HouseholdAgent
import Libc

/// The agent as a service of this user, which the system starts at every login.
protocol LoginService {
    /// Has the agent started now and at every login, and says in lines what was done.
    func install(_ program: ServiceProgram) throws(CommandFailure) -> [String]

    /// Undoes that, and says what was done. What Hearth keeps stays.
    func uninstall() throws(CommandFailure) -> [String]

    func status() throws(CommandFailure) -> ServiceStatus
}

/// How a service stands.
struct ServiceStatus: Hashable {
    var isInstalled = false
    /// The file that says how the agent is run.
    var file: String?
    var startsAtLogin = false
    var isRunning = false
    var process: Int?
    /// The system's own words for it.
    var words = "not installed"
    /// How often it was started again after a crash since it was started.
    var restarts: Int?
    /// Whether it goes on while its user is not logged in; `nil` where that is not known.
    var lingers: Bool?
}

/// What starts services on this system.
enum LoginServices {
    static func ofThisUser() throws(CommandFailure) -> any LoginService {
        guard let home = Environment["HOME"], home.hasPrefix("/") else {
            throw CommandFailure("HOME is not set, so there is no place for a service of yours", code: .usage)
        }
        #if os(macOS)
            return LaunchdService(home: home, user: getuid())
        #else
            return SystemdService(home: home, configuration: Environment["XDG_CONFIG_HOME"])
        #endif
    }
}
