/// The statements that came into a roster since other devices were told of it.
package struct RosterNews: Sendable {
    /// Those from which something follows for the first time, and this device's word of a removal, on which others wait to
    /// take what was written before it. They are told at once.
    package let urgent: [RosterStatement]
    /// Those that confirm what others have said: they count once those others leave. After a pairing each device makes one
    /// and passes on those of all others, so they are told together.
    package let confirming: [RosterStatement]

    /// - Parameter former: The statements at that time.
    package init(of roster: Roster, since former: [RosterStatement]) {
        let known = Set(former)
        let new = roster.statements.filter { !known.contains($0) }
        var removals: [DeviceKey: UInt64] = [:]
        for word in former where word.purpose == .removed {
            removals[word.subject] = max(removals[word.subject] ?? 0, word.serial)
        }
        func confirms(_ statement: RosterStatement) -> Bool {
            switch statement.purpose {
            case .vouched: true
            case .removed: statement.issuer != roster.me && statement.serial <= removals[statement.subject] ?? 0
            case .paired, .wrote: false
            }
        }
        urgent = new.filter { !confirms($0) }
        confirming = new.filter(confirms)
    }
}
