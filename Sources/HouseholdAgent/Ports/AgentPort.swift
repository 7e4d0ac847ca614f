package import ProfileKeeping

/// What happens to an agent.
package enum AgentEvent: Sendable {
    /// First of all; profiles are recovered and read.
    case started(port: UInt16?)
    /// Something happened at a watched path.
    case file(path: String, FileSettling.Event)
    /// A process was seen that has the file at a watched path open for writing, or had the file that was renamed there.
    case writer(path: String, SeenProcess)
    case transport(TransportEvent)
    case discovery(DiscoveryEvent)
    case request(RequestID, AgentRequest)
    /// Whoever made a request is gone.
    case abandoned(RequestID)
    /// The device's configuration was read anew: which program plays a profile, by the profile's name or id; and
    /// whether this device's daily backups may be copied, and copies of other devices' are kept.
    case configured(processes: [String: String], sharesBackups: Bool, keepsBackupsOfOthers: Bool)
    /// The deadline has come.
    case timer
    /// It is another day where the player is than when this came last. Sent once after the start as well.
    case day(LocalDay)
    /// The agent is about to end.
    case stopping
}

/// What the agent wants done.
package enum AgentAction: Sendable {
    case transport(TransportAction)
    /// The paths to watch from now on.
    case watch(Set<String>)
    case announce(ServiceAnnouncement)
    case reply(RequestID, AgentReply)
    case log(LogLine)
}

/// A log line that the machine wants written.
package struct LogLine: Hashable, Sendable {
    package enum Level: Hashable, Sendable { case debug, info, notice, warning, error }

    package var level: Level
    package var message: String
    package var metadata: [String: String]

    package init(_ level: Level, _ message: String, _ metadata: [String: String] = [:]) {
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}
