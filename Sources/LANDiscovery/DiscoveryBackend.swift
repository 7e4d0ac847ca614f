import HouseholdAgent

/// A backend: one way to publish an instance and to look for others. It lives on the discovery thread and is never used
/// from another thread.
protocol DiscoveryBackend: AnyObject {
    /// The name of the backend: `system` or `embedded`.
    var name: String { get }
    /// The reason why the backend cannot go on and has to be stopped, and what to do; nil while it works.
    var failure: BackendError? { get }
    /// The time at which `poll` has to be called at the latest; nil if it has to be called only when something happens.
    var deadline: ContinuousClock.Instant? { get }
    /// Publishes the announcement or replaces the published one.
    func publish(_ announcement: ServiceAnnouncement)
    /// Follows these instances no longer, because others are more likely to be wanted.
    func forget(_ names: Set<String>)
    /// Starts to browse again, because the network changed and a responder does not notice every change by itself.
    func refresh(_ network: NetworkInterfaces)
    /// Waits until something happens, at most `milliseconds` or until the mailbox wakes it, and passes the event on.
    func poll(milliseconds: Int32)
    /// Withdraws the published instance and frees everything. The backend is not used again.
    func stop()
}

/// The reason why a backend could not be started or cannot go on, in one sentence, and the command to begin with.
struct BackendError: Error {
    var sentence: String
    var command: String?
}

/// The receiver of a backend's reports; it is called only inside `poll`.
protocol InstanceSink: AnyObject {
    /// An instance was seen. The answer says whether to follow it.
    func sighted(_ name: String, at place: InstanceTable.Place) -> InstanceTable.Sighting
    /// An instance is gone. Returns true if no other sighting at this place is left.
    func vanished(_ name: String, at place: InstanceTable.Place) -> Bool
    func described(_ name: String, at place: InstanceTable.Place, port: UInt16)
    func described(_ name: String, txt: TXTStrings.Reading)
    func address(_ address: String, of name: String, at place: InstanceTable.Place, isThere: Bool)
    /// The standing of an instance. A backend that has no room left drops strangers first.
    func standing(of name: String) -> InstanceStanding
    /// Another device publishes under the name of this one, so this one is not published.
    func nameIsTaken()
    /// The responder publishes this device under this name, which may differ from the announced one.
    func isPublished(as name: String)
    /// Something was left out or failed, and is worth one log line.
    func note(_ sentence: String)
}
