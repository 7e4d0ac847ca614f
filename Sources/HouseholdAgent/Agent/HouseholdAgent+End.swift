import MergeCore
import ProfileKeeping
import SyncProtocol

/// How the agent ends.
extension HouseholdAgent {
    /// Ends the agent's writes after the last event, so that the next start finds nothing to finish.
    package mutating func end() { engine.writeEnds() }

    /// Says goodbye to the other devices, and refuses what still waits.
    mutating func stop(now: Moment) {
        syncTimes.storeSoon(isEnd: true)
        for (id, live) in links.all {
            lastSeen.ended(live.peerKey.id)
            tell(id, now: now) { $0.goodbye("the agent stops") }
            act(.transport(.close(id)))
        }
        links.closeAll()
        for id in games.requests + waiting.ids + pairing.waiting {
            fail(id, .failed, "the agent stopped")
        }
    }
}
