import LosslessJSON
import MergeCore
import Testing

@testable import ProfileKeeping

/// What is known of a file: each event changes what it is about, and leaves the rest.
@Suite struct KeptFileTests {
    private let invalid = InvalidFile(print: [1], modified: 0, since: 0, isUnfinished: true)
    private let key = AtomKey(DocumentPath([.member("coins")]), .latest)

    private func bound() -> KeptFile { KeptFile(path: "/save") }

    private func intent(_ name: String = "t") -> Intent {
        Intent(temporary: name, byteDiff: ByteDiff(from: [], to: [1]), vector: VersionVector(), targetWasAbsent: true)
    }

    private var end: ProjectionProgress.UnwrittenEnd {
        ProjectionProgress.UnwrittenEnd(baseHistory: BaseHistory.Change(from: nil, rows: []), displaced: nil)
    }

    /// Without a file there is nothing to say and nothing to write, whatever happens to the state.
    @Test func ofNoFileNothingIsKnown() {
        var file = KeptFile(path: nil)
        file.foundNothing()
        file.foundUnusable("odd", invalid)
        file.quarantine([1])
        file.noteVersionStatus(.behind("1"))
        file.stateChanged(at: [key])
        file.compareAll()
        file.swapped(end, showsState: false)
        #expect(file.path == nil && file.status == .good && file.versionStatus == .current && file.lag == .none)
        #expect(file.invalidFile == nil && file.quarantined == nil && file.intent == nil && file.unwrittenEnd == nil)
    }

    @Test func theStatusFollowsFromContentAndVersion() {
        var file = bound()
        file.noteVersionStatus(.refused("is too new", isNewer: true))
        #expect(file.status == .good, "nobody has looked yet")
        file.foundContent()
        #expect(file.status == .bad("/save is too new") && file.invalidFile == nil)
        file.noteVersionStatus(.behind("1"))
        #expect(file.status == .behind("1"))
        file.foundNothing()
        #expect(file.status == .missing && file.versionStatus == .behind("1"))
        file.noteVersionStatus(.current)
        file.foundUnusable("half a save", invalid)
        #expect(file.status == .bad("half a save") && file.invalidFile == invalid)
        file.invalidFileChanged()
        #expect(file.status == .bad("half a save") && file.invalidFile == nil)
        file.quarantine([9])
        #expect(file.status == .quarantined && file.quarantined == [9])
        file.foundContent()
        #expect(file.status == .good && file.quarantined == nil)
    }

    /// New rules may read what the former ones could not; they bring back no file.
    @Test func newRulesAndAJoinLookAtTheContentAnew() {
        var files = [bound(), bound(), bound(), bound()]
        files[1].foundUnusable("odd", invalid)
        files[2].foundNothing()
        files[3].quarantine([9])
        let changed = files.map { file in
            var (byRules, byJoin) = (file, file)
            byRules.showsState()
            byRules.rulesChanged()
            byJoin.showsState()
            byJoin.profileJoined()
            #expect(byRules.lag == .unknown && byJoin.lag == .unknown)
            return [byRules.status, byJoin.status]
        }
        #expect(
            changed == [[.good, .good], [.good, .good], [.missing, .good], [.quarantined, .quarantined]], "\(changed)")
    }

    @Test func whatIsUnreadIsKnownWhileTheLagIs() throws {
        var file = bound()
        let unread = UnreadPlaces(in: try JSONDocument(parsing: [UInt8]("{}".utf8)), .empty)
        #expect(file.lag == .unknown && file.unread == nil)
        file.noteUnread(unread)
        file.showsState()
        file.stateChanged(at: [])
        #expect(file.lag == .none && file.unread != nil)
        file.stateChanged(at: [key])
        #expect(file.lag == .places([key]) && file.unread != nil)
        for event: (inout KeptFile) -> Void in [
            { $0.compareAll() }, { $0.foundNothing() }, { $0.quarantine([1]) }, { $0.rulesChanged() },
            { $0.profileJoined() }, { $0.move(to: "/other") }, { $0.swapped(end, showsState: false) },
        ] {
            var other = file
            event(&other)
            #expect(other.lag == .unknown && other.unread == nil)
        }
        file.swapped(end, showsState: true)
        #expect(file.lag == .none && file.unread != nil)
    }

    @Test func aProjectionGoesFromItsIntentToItsEnd() {
        var file = bound()
        file.foundUnusable("odd", invalid)
        file.recordStored(.set(intent()))
        file.recordStored(.keep)
        #expect(file.intent == intent() && file.unwrittenEnd == nil)
        file.swapped(end, showsState: true)
        #expect(file.intent == nil && file.unwrittenEnd != nil && file.status == .good)
        file.recordStored(.keep)
        #expect(file.intent == nil && file.unwrittenEnd == nil)
        file.recordStored(.set(intent()))
        file.recordStored(.clear)
        #expect(file.intent == nil)
    }

    /// What an interrupted projection left beside a file that was let go may be a save. It is not forgotten.
    @Test func anIntentOutlivesTheBinding() {
        var file = KeptFile(path: "/save", intent: intent())
        file.foundUnusable("odd", invalid)
        file.unbind()
        #expect(file.path == nil && file.status == .good && file.intent == intent())
        file.recordStored(.keep)
        file.bind(to: "/other")
        #expect(file.path == "/other" && file.status == .good && file.lag == .unknown && file.intent == intent())
        file.unbind()
        file.recordStored(.clear)
        #expect(file.intent == nil)
    }

    @Test func aMovedFileIsOneNobodyHasCompared() {
        var file = bound()
        file.showsState()
        file.foundNothing()
        file.move(to: "/other")
        #expect(file.path == "/other" && file.status == .good && file.lag == .unknown)
    }
}
