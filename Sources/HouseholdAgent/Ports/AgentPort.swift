package import ProfileKeeping

/// An event that the agent takes.
package enum AgentEvent: Sendable {
    /// The first event: profiles are recovered and read.
    case started(port: UInt16?)
    /// A change at a watched path.
    case file(path: String, FileDebouncer.Event)
    /// A game in this process has written a save.
    case saved(WrittenSave)
    /// A process that writes a save: it has the file at a watched path open for writing, or had open the file that was
    /// renamed to that path.
    case writer(path: String, SeenProcess)
    case transport(TransportEvent)
    case discovery(DiscoveryEvent)
    case request(RequestID, any AgentRequest)
    /// The client that made a request is gone.
    case abandoned(RequestID)
    /// The device's configuration was read again: the program that plays a profile, by the profile's name or id;
    /// whether this device's daily backups may be copied; and whether it keeps copies of other devices' backups.
    case configured(processes: [String: String], sharesBackups: [String], keepsBackupsOfOthers: Bool)
    /// The time of ``HouseholdAgent/deadline`` has come.
    case timer
    /// A new local day at this device. Sent once after the start as well.
    case day(LocalDay)
    /// The agent is about to end.
    case stopping
}

/// An action that the agent wants done by the code around it.
package enum AgentAction: Sendable {
    case transport(TransportAction)
    /// Watch more paths from now on, and others no more.
    case watch(Set<String>, without: Set<String>)
    /// Look whether their folders are still the same: one higher up may have been exchanged.
    case watchAnew
    case announce(ServiceAnnouncement)
    case reply(RequestID, AgentReply)
    /// Serve the page, and answer the request with a link to it.
    case openPage(RequestID)
    case log(LogLine)
}

/// A log line that the agent wants written.
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
