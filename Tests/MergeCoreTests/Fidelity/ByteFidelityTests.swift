import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// A merge that changes k leaves changes the bytes of those k values, and separators where members come or go.
///
/// Two devices hold one save in wholly different spellings. Both games edit a few places and write their whole file in
/// yet another spelling; then the devices meet. Each file is cut into pieces before and after, by code that knows
/// nothing of the parser, and every piece that no edit of the other side names must be the same, byte for byte.
@Suite struct ByteFidelityTests {
    static let blocks = 20

    private static let rules = MergeCoreTests.rules([
        "/coins": .init(.counter), "/inv[id]/count": .init(.latest), "/row/*": .init(.latest),
    ])
    /// Two devices that know the rules.
    private static let household = Device.household(2, rules)

    @Test(arguments: 0..<blocks) func onlyChangedValuesChangeBytes(block: Int) {
        var count = 0
        for seed in block * 500..<block * 500 + 500 {
            guard let edits = run(UInt64(seed)) else { return }
            count += edits
        }
        #expect(count > 500, "too few edits to show anything")
    }

    /// How many places were edited, or nil after a fault.
    private func run(_ seed: UInt64) -> Int? {
        var maker = TreeMaker(random: SeededRandom(seed: seed))
        var speller = Speller(SeededRandom(seed: ~seed))
        let tree = maker.document()
        let (first, firstEdits) = maker.edited(tree, count: maker.random.below(5), beside: LeafEdits())
        let (second, secondEdits) = maker.edited(tree, count: maker.random.below(3), beside: firstEdits)

        var devices = Self.household.sharing(text(speller.document(tree)))
        var twin = Speller(SeededRandom(seed: seed &+ 1 << 40))
        devices[1].file = twin.document(tree)
        devices[1].snapshots = [.init(document: document(devices[1].shown), vector: devices[1].state.vector)]
        devices[0].save(text(speller.document(first)))
        devices[1].save(text(twin.document(second)))

        let before = devices.map { $0.file ?? [] }
        devices.sync(0, 1)
        let after = devices.map { $0.file ?? [] }
        var faults: [String] = []
        for (index, edits) in [(0, secondEdits), (1, firstEdits)] {
            var judge = FidelityJudge(edits: edits, written: CutText(before[1 - index]))
            judge.compare(before[index], after[index])
            faults += judge.faults.map { "device \(index): \($0)" }
            // What is not changed is not written.
            if edits.count == 0, before[index] != after[index] {
                faults.append("device \(index): its file changed, though the other game changed nothing")
            }
        }
        let meanings = devices.map { Agreed($0.value, Self.rules) }
        if meanings[0] != meanings[1] { faults.append("the files mean different things") }
        if faults.isEmpty { return firstEdits.count + secondEdits.count }
        Issue.record(
            """
            seed \(seed): \(faults.joined(separator: "; "))
            0 before: \(text(before[0]))
            0 after:  \(text(after[0]))
            1 before: \(text(before[1]))
            1 after:  \(text(after[1]))
            """)
        return nil
    }
}

/// Compares a file before and after a merge, piece by piece.
struct FidelityJudge {
    /// What the other side's game did.
    let edits: LeafEdits
    /// What that game wrote.
    let written: CutText
    private(set) var faults: [String] = []

    init(edits: LeafEdits, written: CutText) {
        self.edits = edits
        self.written = written
    }

    mutating func compare(_ before: [UInt8], _ after: [UInt8]) {
        let (old, new) = (CutText(before), CutText(after))
        expect(old.before == new.before && old.after == new.after, "the space around the document", [])
        compare(old.root, new.root, [])
    }

    private mutating func expect(_ isRight: Bool, _ what: String, _ path: LeafEdits.Path) {
        if !isRight { faults.append("\(what) changed at \(path)") }
    }

    private mutating func compare(_ old: CutText.Value, _ new: CutText.Value, _ path: LeafEdits.Path) {
        if edits.changed.contains(path) { return expectWritten(new, path) }
        guard let olds = old.entries, let news = new.entries, old.isObject == new.isObject else {
            return expect(old.bytes == new.bytes, "a value", path)
        }
        let kept = olds.filter { !edits.removed.contains(path + [$0.name]) }
        let staying = Set(kept.map(\.name))
        // New members come last; new keyed elements have a place among those of both sides.
        let isKeyed = news.contains { $0.name.hasPrefix("#") }
        let (standing, added) =
            isKeyed
            ? (news.filter { staying.contains($0.name) }, news.filter { !staying.contains($0.name) })
            : (Array(news.prefix(kept.count)), Array(news.dropFirst(kept.count)))
        guard kept.map(\.name) == standing.map(\.name) else {
            return expect(false, "the order of \(olds.map(\.name)) to \(news.map(\.name))", path)
        }
        for (old, new) in zip(kept, standing) {
            expect(old.key == new.key, "a key", path + [old.name])
            compare(old.value, new.value, path + [old.name])
        }
        for new in added {
            expect(edits.added.contains(path + [new.name]), "the members, by \(new.name),", path)
            expectWritten(new.value, path + [new.name])
        }
        guard let first = kept.first, let last = kept.last else {
            let isSame = !olds.isEmpty || !news.isEmpty || old.bytes == new.bytes
            return expect(isSame, "the space in an empty container", path)
        }
        // Between neighbours that stay neighbours, and at the ends where they stay.
        let places = olds.indices.filter { index in kept.contains { $0.name == olds[index].name } }
        for (position, place) in places.enumerated().dropFirst() where places[position - 1] == place - 1 {
            let isSame =
                olds[place - 1].after == news[position - 1].after && olds[place].before == news[position].before
            expect(isSame, "the space before \(olds[place].name)", path)
        }
        if first.name == olds[0].name { expect(olds[0].before == news[0].before, "the space at the start", path) }
        if last.name == olds[olds.count - 1].name || news.count >= olds.count {
            expect(olds[olds.count - 1].after == news[news.count - 1].after, "the space at the end", path)
        }
    }

    /// A value that the other game wrote: it means the same, and a number has the same spelling.
    private mutating func expectWritten(_ new: CutText.Value, _ path: LeafEdits.Path) {
        guard let source = written.value(path) else { return expect(false, "what should be gone", path) }
        if path == [CutText.coins] { return }
        let values = [source, new].map { try? JSONValue(parsing: Array($0.bytes)) }
        expect(values[0] != nil && values[0] == values[1], "the meaning", path)
        if case .number(let number)? = values[0] { expect(new.bytes.elementsEqual(number.text.utf8), "a number", path) }
    }
}
