import LosslessJSON
import MergeCore
import Testing

/// Every triple of a small stock of atoms, for every kind and every pair of epochs: the join picks, picks the same
/// whatever the order, and never picks what the epoch or the rule puts below.
@Suite struct AtomLawTests {
    /// None; a step above none; one of each kind, and a later number; equal numbers and kinds that only the time or the
    /// origin tells apart.
    static let epochs: [EpochID?] =
        [nil]
        + [
            epoch(0, .beginning, 0, 1), epoch(1, .restore, 4, 1), epoch(1, .restore, 5, 1), epoch(1, .restore, 5, 2),
            epoch(1, .reset, 0, 3), epoch(1, .reset, 0, 4), epoch(2, .restore, 1, 1),
        ].map(Optional.some)

    private static func epoch(_ number: UInt64, _ kind: EpochID.Kind, _ time: UInt64, _ origin: Int) -> EpochID {
        EpochID(number: number, kind: kind, stamp: Stamp(rawValue: time), origin: replica(origin))
    }

    /// An atom, and where the test, not the core, says that it stands.
    private struct Ranked {
        let atom: Atom
        let epoch: Int
        let step: Int

        func isBelow(_ other: Ranked) -> Bool { (epoch, step) < (other.epoch, other.step) }
    }

    @Test(arguments: AtomStock.all) func joinObeysTheLaws(of stock: AtomStock) {
        // Every content under two dots, forged ones (several contents under one dot) included.
        let dots = [dot(1, 2), dot(2, 1)]
        let contents = stock.steps.enumerated().flatMap { step in step.element.map { (step.offset, $0) } }
        let whole = contents.flatMap { step, content in
            dots.map { Ranked(atom: Atom(content, $0), epoch: 0, step: step) }
        }
        guard holds(stock, whole) else { return }
        // Every content in every epoch: so every triple meets every pair of epochs, and every three.
        let spread = Self.epochs.enumerated().flatMap { epoch in
            contents.map { step, content in
                Ranked(
                    atom: Atom(content, dots[(step + epoch.offset) % 2], epoch: epoch.element),
                    epoch: epoch.offset,
                    step: step
                )
            }
        }
        _ = holds(stock, spread)
    }

    private func holds(_ stock: AtomStock, _ atoms: [Ranked]) -> Bool {
        func fail(_ law: String, _ indices: Int...) -> Bool {
            Issue.record("the join of \(stock.name) is not \(law): \(indices.map { atoms[$0].atom })")
            return false
        }
        // The join of each pair, by index: a join that picks one of two makes all others out of these.
        var joins: [[Int]] = []
        for a in atoms.indices {
            var row: [Int] = []
            for b in atoms.indices {
                let joined = atoms[a].atom.joined(with: atoms[b].atom, kind: stock.kind)
                guard joined == atoms[a].atom || joined == atoms[b].atom else { return fail("selective", a, b) }
                let picked = joined == atoms[a].atom ? a : b
                if atoms[a].isBelow(atoms[b]) || atoms[b].isBelow(atoms[a]) {
                    guard atoms[a].isBelow(atoms[b]) == (picked == b) else { return fail("by epoch and rule", a, b) }
                }
                row.append(picked)
            }
            joins.append(row)
        }
        let isSame = { (a: Int, b: Int) in a == b || atoms[a].atom == atoms[b].atom }
        for a in atoms.indices {
            guard joins[a][a] == a else { return fail("idempotent", a) }
            for b in atoms.indices {
                let ab = joins[a][b]
                guard isSame(ab, joins[b][a]) else { return fail("commutative", a, b) }
                for c in atoms.indices where !isSame(joins[ab][c], joins[a][joins[b][c]]) {
                    return fail("associative", a, b, c)
                }
            }
        }
        return true
    }

    /// The encoded form reads back as the same atom.
    @Test(arguments: AtomStock.all.filter { !$0.isForged }) func encodingRoundTrips(of stock: AtomStock) throws {
        for content in stock.steps.joined() where stock.kind.reading != .bits {
            let path =
                stock.kind == .element ? DocumentPath([.member("inv"), .element([1])]) : DocumentPath([.member("x")])
            #expect(try AtomContent(encoded: content.encoded, key: stock.key(path, content)) == content)
        }
    }
}
