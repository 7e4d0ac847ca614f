import HouseholdAgent

/// A way to publish and to look for instances. It lives on the discovery thread and is never used from another.
protocol DiscoveryBackend: AnyObject {
    /// `system` or `embedded`.
    var name: String { get }
    /// One sentence once the backend cannot go on and has to be stopped.
    var failure: String? { get }
    /// When `turn` wants to be called at the latest; nil: whenever something happens.
    var deadline: ContinuousClock.Instant? { get }
    /// Publishes the announcement or replaces the published one.
    func publish(_ announcement: ServiceAnnouncement)
    /// Browses anew, because the network changed and a responder does not notice everything by itself.
    func refresh(_ network: NetworkInterfaces)
    /// Waits for something to happen, at most `milliseconds` or until the mailbox wakes it, and passes it on.
    func turn(milliseconds: Int32)
    /// Withdraws what is published and frees everything. The backend is not used again.
    func stop()
}

/// A backend that could not be started: one sentence.
struct BackendError: Error {
    var sentence: String
}

/// What a backend tells the loop; called only inside `turn`.
protocol InstanceSink: AnyObject {
    /// An instance was seen; the answer says whether to follow it.
    func sighted(_ name: String, at place: InstanceTable.Place) -> InstanceTable.Sighting
    /// An instance went; true when no sighting at this place is left.
    func vanished(_ name: String, at place: InstanceTable.Place) -> Bool
    func described(_ name: String, at place: InstanceTable.Place, port: UInt16)
    func described(_ name: String, txt: TXTStrings.Reading)
    func address(_ address: String, of name: String, at place: InstanceTable.Place, isThere: Bool)
    /// The responder publishes this device under this name.
    func isPublished(as name: String)
    /// Something was left out or went wrong that is worth one log line.
    func note(_ sentence: String)
}
