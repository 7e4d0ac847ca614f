package import MergeCore

extension PeerLink {
    // MARK: Time

    /// The earliest time at which ``tick(now:)`` has something to do; `nil` for a closed link.
    package var deadline: MonotonicTime? {
        switch phase {
        case .created: created + Limits.helloTime
        case .greeting: created + Limits.helloTime
        case .open(let open): open.session.keepAlive.deadline
        case .closed: nil
        }
    }

    /// Lets time pass: sends a Ping, and with it what waits to be said of the roster, or closes the link, where either is
    /// due.
    package mutating func tick(now: MonotonicTime) -> [LinkAction] {
        switch takePhase() {
        case .created: preconditionFailure("the link was not started")
        case .closed: return []
        case .greeting(let session):
            phase = .greeting(session)
            guard now >= created + Limits.helloTime else { return [] }
            return close(
                "The other device did not say hello within \(Limits.helloTime.components.seconds) s.", blame: .nobody)
        case .open(var open):
            let due = open.session.keepAlive.due(at: now)
            let waiting = due == .ping ? open.session.roster.tellWaiting() : []
            phase = .open(open)
            switch due {
            case .nothing, .silent: return []
            case .ping: return [.send(WireFrame.bytes(.ping(WirePing())))] + waiting
            case .dead:
                return close(
                    "Nothing was heard of the other device for \(Limits.deadTime.components.seconds) s.", blame: .nobody
                )
            }
        }
    }

    // MARK: Status

    /// The peer's introduction; `nil` before its Hello came.
    package var greeting: PeerGreeting? {
        switch phase {
        case .open(let open): open.greeting
        default: nil
        }
    }

    /// The vector that the peer has confirmed to cover of a profile.
    package func peerVector(_ profile: ProfileID) -> VersionVector {
        switch phase {
        case .open(let open): open.session.ledgers[profile]?.confirmed ?? VersionVector()
        default: VersionVector()
        }
    }

    /// Whether the peer was told last that this device's file of a profile does not show all that the device covers.
    package func saysFileBehind(_ profile: ProfileID) -> Bool {
        switch phase {
        case .open(let open): open.session.ledgers[profile]?.announcedFileBehind == true
        default: false
        }
    }

    /// The unfolded size, in bytes, of the deltas that came since the last call: without compression and without references to
    /// earlier values. It says how much work they were, since a few bytes may unfold to a thousand times as many.
    package mutating func takeUnfolded() -> Int {
        var count = 0
        _ = withSession { session throws(ProtocolFault) in
            swap(&count, &session.unfolded)
            return []
        }
        return count
    }

    /// Whether both sides cover the same writes of a profile, as far as each has sent its vector.
    package func isSettled(_ profile: ProfileID) -> Bool {
        switch phase {
        case .open(let open): open.session.isSettled(profile)
        default: false
        }
    }

    /// Whether the peer may have more than this device covers, as far as is known: it has not said yet all that it has, or
    /// something of that has not come. O(profiles of which something was said).
    package var mayBringMore: Bool {
        switch phase {
        case .open(let open): open.session.mayBringMore
        case .closed: false
        default: true
        }
    }

    /// Whether the peer's last message says that its file of a profile does not show all that it covers.
    package func isPeersFileBehind(_ profile: ProfileID) -> Bool {
        switch phase {
        case .open(let open): open.session.ledgers[profile]?.isPeersFileBehind ?? false
        default: false
        }
    }

    /// Whether a Ping was sent and nothing has been heard since.
    package var awaitsAnswer: Bool {
        switch phase {
        case .open(let open): open.session.keepAlive.awaitsAnswer
        default: false
        }
    }

    /// Whether a Ping had no answer for so long that the peer may be gone.
    package var isSilent: Bool {
        switch phase {
        case .open(let open): open.session.keepAlive.isSilent
        default: false
        }
    }

    package var isClosed: Bool {
        switch phase {
        case .closed: true
        default: false
        }
    }
}
