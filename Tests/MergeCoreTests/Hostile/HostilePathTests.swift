import LosslessJSON
import MergeCore
import TestSupport
import Testing

@Suite struct HostilePathTests {
    /// Arrays are taken apart by position; without a rule each is one value.
    private static let byPosition = rules(["/*/*": .init(.latest)])

    @Test func stepsHaveOneSpelling() {
        var random = SeededRandom(seed: 3)
        let pieces =
            ["/", "~", "~0", "~1", "~2", "~3", "0", "12", "a", "+1", "-0", "00", "\u{E9}", "#", "\""].map {
                Array($0.utf8)
            } + [[0xFF], [0xED, 0xA0, 0x80], [0]]
        for _ in 0..<20_000 {
            var bytes: [UInt8] = random.chance(80) ? [0x2F] : []
            for _ in 0..<random.below(6) { bytes += random.pick(pieces) }
            let path = DocumentPath(encoded: bytes)
            _ = path.description
            guard let steps = path.steps, !path.isReserved else { continue }
            guard DocumentPath(steps) == path else { Issue.record("\(bytes) is read as \(steps)"); return }
        }
    }

    @Test(arguments: [
        "a", "/~", "/~4", "/~3", "/~3+1", "/~301", "/~3-1", "/~3x", "/~31234567890", "/a~", "/~2~", "/~2a~9",
    ])
    func whatIsNoPathHasNoSteps(text: String) {
        #expect(DocumentPath(encoded: Array(text.utf8)).steps == nil)
    }

    @Test func namesThatJSONCannotHoldAreNoPath() {
        #expect(DocumentPath(encoded: [0x2F, 0xFF]).steps == nil)
        #expect(DocumentPath(encoded: [0x2F, 0xC3]).steps == nil)
    }

    @Test func stepsComeBackAsTheyWere() {
        let steps: [PathStep] = [
            .member("a/b~c"), .member(""), .index(0), .element(Array("\"/~\"".utf8)), .member("~2"), .member("0"),
            .index(99_999),
        ]
        #expect(DocumentPath(steps).steps == steps)
        #expect(DocumentPath([]).steps == [])
    }

    /// Garbage stays in the state, is relayed, and neither shows nor costs the stack.
    @Test func garbageIsKeptAndNotShown() {
        var device = Device.household(1, sharing: #"{"a":1}"#)[0]
        let paths: [[UInt8]] = [
            [0x2F, 0xFF], [0x2F, 0xFE], Array("no slash".utf8), Array("/~".utf8), Array("/a/~3+0".utf8),
            Array("/a/~30".utf8),
            Array(repeating: 0x2F, count: 200_000), Array(String(repeating: "/a", count: 600).utf8),
            Array("#strange".utf8),
            Array("/list/~3999999999".utf8), Array("/deep/~299".utf8), Array("/deep/~35/~37".utf8),
        ]
        let atoms = paths.map {
            KeyedAtom(
                AtomKey(DocumentPath(encoded: $0), .latest), Atom(.register(.live(1), 1), dot(50, 1)))
        }
        device.state.join(atoms, vector: vector([50: 1]))
        #expect(device.state.delta(beyond: vector([:])).filter { $0.atom.dot == dot(50, 1) }.count == paths.count)
        device.project()
        #expect(device.shown == #"{"a":1}"#)
        device.save(#"{"a":{"b":2}}"#)
        device.save("{}")
        device.project()
        #expect(device.shown == "{}")
        #expect(
            ProfileState(restoring: device.state.sortedAtoms, vector: device.state.vector).sortedAtoms
                == device.state.sortedAtoms)
    }

    /// Many arrays with one element far behind ask for no more room than one of them.
    @Test func arraysThatAreMostlyEmptyCostNoMemory() throws {
        var device = Device.household(1, Self.byPosition, sharing: #"{"list":[1,2,3]}"#)[0]
        let atoms = (0..<400).map { number in
            let path = DocumentPath([.member(JSONString("a\(number)")), .index(90_000)])
            return KeyedAtom(
                AtomKey(path, .latest), Atom(.register(.live(1), 1), dot(50, 1)))
        }
        device.state.join(atoms, vector: vector([50: 1]))
        let document = try #require(Projection.newDocument(of: device.state))
        #expect(document.jsonBytes.count < 1_000_000)
        device.project()
        #expect(device.shown.utf8.count < 1_000_000)
        #expect(device.value["list"] == [1, 2, 3])
        #expect(document.jsonBytes.count < 10_000, "no element is shown behind so many indexes that nobody wrote")
        // What no limit is meant for: a list without gaps, however long it is.
        let long = "{\"list\":[\((0..<30_000).map { "\($0)" }.joined(separator: ","))]}"
        var others = Device.household(2, Self.byPosition, sharing: #"{"list":[]}"#)
        others[0].save(long)
        settle(&others)
        let isShown = others[1].shown == long
        #expect(isShown)
    }

    /// An element behind indexes that nobody wrote is shown as long as those of the whole document are no more than the
    /// limit, in a new file and in one that is there.
    @Test(arguments: [([5_000, 5_000], 2), ([5_000, 5_001], 1), ([10_000, 0], 2), ([10_001], 0)])
    func elementsBehindGaps(gaps: [Int], shown: Int) {
        var device = Device.household(1, Self.byPosition, sharing: #"{"stays":1}"#)[0]
        let atoms = gaps.enumerated().map { number, gap in
            let path = DocumentPath([.member(JSONString("list\(number)")), .index(gap)])
            return KeyedAtom(AtomKey(path, .latest), Atom(.register(.live(1), "end"), dot(50, UInt64(number) + 1)))
        }
        device.state.join(atoms, vector: vector([50: UInt64(gaps.count)]))
        device.project()
        let file = Projection.newDocument(of: device.state).map { String(decoding: $0.jsonBytes, as: UTF8.self) }
        for text in [device.shown, file ?? ""] {
            let count = text.split(separator: #""end""#, omittingEmptySubsequences: false).count - 1
            #expect(count == shown)
        }
    }

    /// Elements behind a gap that is too large are not counted one by one for each of them.
    @Test(.timeLimit(.minutes(5))) func manyElementsBehindAGap() {
        var device = Device.household(1, Self.byPosition, sharing: #"{"stays":1}"#)[0]
        let atoms = (10_001..<110_001).map { index in
            let path = DocumentPath([.member("list"), .index(index)])
            return KeyedAtom(AtomKey(path, .latest), Atom(.register(.live(1), "end"), dot(50, UInt64(index))))
        }
        device.state.join(atoms, vector: vector([50: 110_001]))
        device.project()
        let isUnchanged = device.value["stays"] == 1 && device.shown.utf8.count < 100
        #expect(isUnchanged)
    }

    /// What one device cut off is known: however much it was, what another one appended is at its index.
    @Test func whatWasAppendedBehindALongCut() {
        let numbers = (0..<30_000).map { "\($0)" }
        func save(_ numbers: [String]) -> String { "{\"stays\":1,\"list\":[\(numbers.joined(separator: ","))]}" }
        var devices = Device.household(2, Self.byPosition, sharing: save(numbers))
        devices[0].save(save(["0", "1"]))
        devices[1].save(save(numbers + ["-7"]))
        settle(&devices)
        #expect(devices.map { $0.shown.hasSuffix(",-7]}") } == [true, true])
        let isSame = devices[0].shown == devices[1].shown
        #expect(isSame)
        let places = devices[0].shown.count { $0 == "," }
        #expect(places == 30_001)
    }

    @Test func theDeepestDocumentStillTravels() {
        let depth = 512
        let deep = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        var devices = Device.household(2, sharing: #"{"a":0}"#)
        devices[0].save(deep)
        devices.sync(0, 1)
        #expect(devices[1].shown == deep)
    }

    /// Few bytes on the wire become many long paths. To list them in the history once took the square of their steps, which
    /// for these is more than the limit here.
    @Test(.timeLimit(.minutes(1))) func manyDeepPlacesAreOneStepOfTheHistory() {
        var device = Device.household(1, sharing: #"{"stays":1}"#)[0]
        let former = device.state
        let deep = String(repeating: "/x", count: 500)
        let atoms = (0..<1_500).map { number in
            let path = DocumentPath(encoded: Array("/p\(number)\(deep)".utf8))
            return KeyedAtom(AtomKey(path, .latest), Atom(.register(.live(1), 1), dot(50, UInt64(number) + 1)))
        }
        device.state.join(atoms, vector: vector([50: 1_500]))
        let step = device.state.history(since: former, touching: atoms.map(\.key), at: 0)
        #expect(step.changes.count + Int(step.more) == 1_500)
        device.project()
        device.save(#"{"stays":2}"#)
        #expect(device.shown == #"{"stays":2}"#)
    }
}
