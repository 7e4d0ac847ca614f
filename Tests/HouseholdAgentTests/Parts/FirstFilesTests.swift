import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// The form of a first file: which device is asked for it, for how long, and when it is given up.
@Suite struct FirstFilesTests {
    private let save = ProfileID(high: 0, low: 1)
    private let start: MonotonicTime = 1_000

    private func peer(
        _ number: UInt64, isUp: Bool = true, hasForms: Bool = true, isBusy: Bool = false, isAhead: Bool = false
    ) -> FirstFiles.Peer {
        FirstFiles.Peer(
            connection: ConnectionID(rawValue: number), device: DeviceID(high: 0, low: number), isUp: isUp,
            hasForms: hasForms, isBusy: isBusy, isAhead: isAhead)
    }

    private func begun() -> FirstFiles {
        var files = FirstFiles()
        let isNew = files.begin(save, patience: FirstFiles.patience, now: start)
        #expect(isNew && files.isAsking(save))
        return files
    }

    private func answer(
        _ files: inout FirstFiles, _ text: String, size: Int? = nil, offset: Int = 0, from number: UInt64
    ) -> FirstFiles.Arrival {
        files.came(
            FormQuestion(profile: save, offset: offset),
            FormAnswer(size: size ?? text.utf8.count, content: Array(text.utf8)),
            on: ConnectionID(rawValue: number), now: start)
    }

    @Test func aDeviceThatKnowsEverythingIsAskedFirst() {
        var files = begun()
        let peers = [
            peer(1), peer(2, isAhead: true), peer(3, isUp: false), peer(4, hasForms: false), peer(5, isBusy: true),
        ]
        #expect(files.askNext(save, of: peers, mayLink: false, now: start)?.connection.rawValue == 2)
        #expect(files.askNext(save, of: peers, mayLink: false, now: start) == nil, "one is asked at a time")
    }

    @Test func aTextComesInParts() {
        var files = begun()
        _ = files.askNext(save, of: [peer(1)], mayLink: false, now: start)
        guard case .more(let next) = answer(&files, "{ \"a\"", size: 9, from: 1) else {
            Issue.record("the rest is not asked for")
            return
        }
        #expect(next.offset == 5 && next.size == 9 && files.form(of: save) == nil)
        guard case .unasked = answer(&files, "zzzz", size: 9, offset: 4, from: 1) else {
            Issue.record("a part that was not asked for is taken")
            return
        }
        guard case .unasked = answer(&files, ": 1}", size: 9, offset: 5, from: 2) else {
            Issue.record("a part of another device is taken")
            return
        }
        guard case .whole(let text) = answer(&files, ": 1}", size: 9, offset: 5, from: 1) else {
            Issue.record("the text is not whole")
            return
        }
        files.judged(save, isOfUse: true)
        #expect(text == Array("{ \"a\": 1}".utf8) && files.form(of: save) == text && !files.isAsking(save))
        files.end(save)
        #expect(files.profiles == [] && files.form(of: save) == nil)
    }

    /// One that has no text, one whose text is of no use, and one that says nothing: each is asked once.
    @Test func theNextOneIsAsked() {
        var files = begun()
        let peers = [peer(1), peer(2), peer(3)]
        #expect(files.askNext(save, of: peers, mayLink: false, now: start)?.connection.rawValue == 1)
        guard case .none = answer(&files, "", from: 1) else {
            Issue.record("no text is a text")
            return
        }
        #expect(files.askNext(save, of: peers, mayLink: false, now: start)?.connection.rawValue == 2)
        guard case .whole = answer(&files, "[]", from: 2) else {
            Issue.record("the text is not whole")
            return
        }
        files.judged(save, isOfUse: false)
        #expect(files.askNext(save, of: peers, mayLink: false, now: start)?.connection.rawValue == 3)
        #expect(files.tick(isOpen: { _ in true }, now: start + .seconds(1)) == [])
        #expect(files.tick(isOpen: { _ in true }, now: start + FirstFiles.silence) == [save])
        #expect(files.askNext(save, of: peers, mayLink: false, now: start + FirstFiles.silence) == nil)
        #expect(!files.isAsking(save) && files.form(of: save) == nil)
    }

    @Test func aLinkThatEndsIsNotWaitedFor() {
        var files = begun()
        _ = files.askNext(save, of: [peer(1)], mayLink: false, now: start)
        #expect(files.tick(isOpen: { _ in false }, now: start) == [save])
        #expect(files.isAsking(save))
    }

    /// Two devices that dial each other at once are left with one link: whoever was asked over the other one is asked
    /// again, and what had come by then begins anew.
    @Test func aDeviceWhoseLinkIsReplacedIsAskedAgain() {
        var files = begun()
        _ = files.askNext(save, of: [peer(1)], mayLink: false, now: start)
        guard case .more = answer(&files, "{ \"a\"", size: 9, from: 1) else {
            Issue.record("the rest is not asked for")
            return
        }
        var again = peer(1)
        again.connection = ConnectionID(rawValue: 2)
        #expect(files.tick(isOpen: { $0 == again.connection }, now: start) == [save])
        let question = files.askNext(save, of: [again], mayLink: false, now: start)
        #expect(question?.connection == again.connection && question?.offset == 0)
        guard case .whole = answer(&files, "{ \"a\": 1}", from: 2) else {
            Issue.record("the text is not whole")
            return
        }
        files.judged(save, isOfUse: true)
        #expect(files.form(of: save) == Array("{ \"a\": 1}".utf8))
    }

    @Test func aDeviceThatIsDialledIsWaitedForAWhile() {
        var files = begun()
        #expect(files.askNext(save, of: [], mayLink: true, now: start) == nil)
        #expect(files.isAsking(save) && files.deadline == start + FirstFiles.contact)
        #expect(files.askNext(save, of: [], mayLink: true, now: start + FirstFiles.contact) == nil)
        #expect(!files.isAsking(save) && files.deadline == nil)
    }

    @Test func aGameDoesNotWaitLong() {
        var files = begun()
        _ = files.askNext(save, of: [peer(1)], mayLink: false, now: start)
        let isNew = files.begin(save, patience: FirstFiles.gamePatience, now: start)
        #expect(!isNew && files.deadline == start + FirstFiles.gamePatience)
        #expect(files.tick(isOpen: { _ in true }, now: start + FirstFiles.gamePatience) == [save])
        #expect(!files.isAsking(save))
    }
}
