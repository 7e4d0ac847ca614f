import LosslessJSON
import MergeCore
import Testing

@testable import ProfileKeeping

/// The indexes over all profiles: whatever is changed, they say what a walk over all of them would.
@Suite struct ProfileTableTests {
    private func id(_ number: UInt64) -> ProfileID { ProfileID(high: 0, low: number) }

    private func profile(_ number: UInt64, at path: String? = nil) -> KeptProfile {
        var profile = KeptProfile(
            id(number), StoredProfile(replica: ReplicaID(high: 1, low: number), file: path), baseHistory: BaseHistory())
        profile.file.showsState()
        return profile
    }

    private func table(_ profiles: KeptProfile...) -> ProfileTable {
        var table = ProfileTable()
        for profile in profiles { table[profile.id] = profile }
        return table
    }

    @Test func idsStandInOrder() {
        var table = table(profile(5), profile(1), profile(3))
        #expect(table.ids == [id(1), id(3), id(5)])
        table[id(3)] = nil
        table[id(4)] = profile(4)
        #expect(table.ids == [id(1), id(4), id(5)] && table.values.count == 3)
    }

    @Test func aFileIsFoundWhereItIs() {
        var table = table(profile(2, at: "/a"), profile(1, at: "/a"), profile(3, at: "/b"))
        #expect(table.id(at: "/a") == id(1) && table.id(at: "/b") == id(3) && table.id(at: "/c") == nil)
        table[id(1)]?.file.move(to: "/c")
        #expect(table.id(at: "/a") == id(2) && table.id(at: "/c") == id(1))
        table[id(2)]?.file.unbind()
        table[id(3)] = nil
        #expect(table.id(at: "/a") == nil && table.id(at: "/b") == nil)
    }

    @Test func aNameIsFoundWhereverItWas() throws {
        var table = table(profile(1), profile(2), profile(3))
        func rename(_ number: UInt64, _ name: String) {
            let context = WriteContext(
                replica: ReplicaID(high: 1, low: number), now: 1, fileTime: 1, base: table[id(number)]!.state.vector)
            _ = table[id(number)]?.state.note(.name, .string(JSONString(name)), context)
        }
        #expect(table.ids(named: String(id(1).description.prefix(8))) == [id(1), id(2), id(3)], "they have none")
        for number: UInt64 in [3, 1] { rename(number, "RPG") }
        #expect(table.ids(named: "RPG") == [id(1), id(3)] && table.ids(named: "Chess") == [])
        rename(3, "Chess")
        #expect(table.ids(named: "RPG") == [id(1)] && table.ids(named: "Chess") == [id(3)])
        table[id(1)] = nil
        #expect(table.ids(named: "RPG") == [])
    }

    @Test func whatWasJoinedIsFound() throws {
        var table = table(profile(1), profile(2), profile(3))
        for number: UInt64 in [3, 2] {
            let context = WriteContext(
                replica: ReplicaID(high: 1, low: number), now: 1, fileTime: 1, base: VersionVector())
            _ = table[id(number)]?.state.note(.joined, .string(JSONString(id(1).description)), context)
        }
        #expect(table.joined(into: id(1)) == [id(2), id(3)] && table.joined(into: id(2)) == [])
        table[id(2)] = nil
        #expect(table.joined(into: id(1)) == [id(3)])
    }

    private func join(_ gone: UInt64, into kept: UInt64, _ table: inout ProfileTable) {
        let context = WriteContext(replica: ReplicaID(high: 1, low: gone), now: 1, fileTime: 1, base: VersionVector())
        _ = table[id(gone)]?.state.note(.joined, .string(JSONString(id(kept).description)), context)
    }

    /// The last profile of a chain stands for all before it, but one with a file here stands for itself, and its player
    /// is asked.
    @Test func aJoinedProfileIsStoodForByTheLastOne() {
        var table = table(profile(1), profile(2), profile(3), profile(4))
        join(1, into: 2, &table)
        join(2, into: 3, &table)
        #expect(table.canonicalID(id(1)) == id(3) && table.canonicalID(id(2)) == id(3))
        #expect(table.target(of: id(3)) == nil && table.isOffered(id(3)) && !table.isOffered(id(1)))
        table[id(2)]?.file.bind(to: "/a")
        #expect(table.target(of: id(1)) == id(2) && table.target(of: id(2)) == nil)
        #expect(table.askedTarget(of: id(2)) == id(3) && table.askedTarget(of: id(1)) == nil)
        #expect(table.isOffered(id(2)))
        // Of one that is not known here nothing follows.
        join(4, into: 9, &table)
        #expect(table.target(of: id(4)) == nil && table.isOffered(id(4)))
    }

    /// Whatever words there are, no save disappears: the smallest id of a ring stands for the others, wherever files
    /// are, and a chain of any length ends.
    @Test func aRingAndALongChainHideNothing() {
        var table = ProfileTable()
        for number: UInt64 in 1...200 { table[id(number)] = profile(number) }
        for number: UInt64 in 1...199 { join(number, into: number + 1, &table) }
        #expect(table.ids.contains { table.isOffered($0) })
        join(12, into: 11, &table)
        join(10, into: 12, &table)
        #expect(table.target(of: id(11)) == nil && table.target(of: id(12)) == id(11))
        #expect(table.target(of: id(10)) == id(11) && table.target(of: id(9)) == id(11))
        table[id(12)]?.file.bind(to: "/a")
        #expect(table.target(of: id(11)) == nil && table.target(of: id(10)) == id(11))
        #expect(table.target(of: id(12)) == nil && table.askedTarget(of: id(12)) == id(11))
        join(5, into: 5, &table)
        #expect(table.target(of: id(5)) == nil && table.target(of: id(4)) == id(5))
    }

    @Test func whoHasSomethingToDoIsListed() {
        var table = table(profile(1, at: "/a"), profile(2, at: "/b"), profile(3))
        #expect(table.active == [])
        table[id(1)]?.file.compareAll()
        table[id(2)]?.file.foundNothing()
        // Without a file here there is nothing to write.
        table[id(3)]?.file.compareAll()
        #expect(table.active == [id(1), id(2)])
        table[id(1)]?.file.showsState()
        table[id(2)] = nil
        #expect(table.active == [])
        table[id(1)]?.waitsForOthers = true
        #expect(table.active == [id(1)])
    }

    @Test func everyChangeIsListedOnce() {
        var table = table(profile(2), profile(1))
        #expect(table.takeChanged() == [id(1), id(2)] && table.takeChanged() == [])
        table[id(2)]?.file.bind(to: "/a")
        table.updateSilently(id(1)) { $0.waitsForOthers = false }
        #expect(table.takeChanged() == [id(2)])
    }
}
