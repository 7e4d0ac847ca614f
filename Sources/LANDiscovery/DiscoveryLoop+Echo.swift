import HouseholdAgent

/// Whether this device still sees its own announcement, asked after it has seen it once: multicast may have stopped
/// since, and what a browse has shown stays in a responder's memory for more than an hour.
extension DiscoveryLoop {
    /// Finds that out. Where the announcement is a new one, the browse is about to show it.
    func lookForItself() {
        guard schedule.ownSighting == nil, let shownAs else { return }
        echo = around.echo(shownAs, network)
    }

    /// Deals with the answer, once it is there.
    func takeEcho(_ now: ContinuousClock.Instant) {
        guard let isHeard = echo?() else { return }
        echo = nil
        // Not every responder answers such a question. The agent takes another name now, and whether the browse shows
        // that one decides.
        guard isHeard, unseen != nil else { return tell(.seesItself(isHeard)) }
        // The trouble is over. A responder asks less and less often for what it has not found, so it has to ask now.
        schedule.ownSighting = now + Schedule.ownSightingLimit
        browseAnew(now)
    }
}
