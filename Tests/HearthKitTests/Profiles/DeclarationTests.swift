import HearthKit
import LosslessJSON
import MergeCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type with an impossible declaration is refused when the profile is opened. The message names type, field and
/// remedy.
struct DeclarationTests {
    final class Box: Codable, Sendable, Hashable {
        static func == (a: Box, b: Box) -> Bool { a === b }
        func hash(into hasher: inout Hasher) {}
    }
    struct Ruled: ProfilePart, Hashable { @Counter var games = 0 }
    struct Stray: Codable, Hashable { @Counter var games = 0 }
    struct Nested: ProfilePart { @Counter var depth = 0; var inner: [String: Nested] = [:] }
    enum Plain: String, Codable { case a }

    struct AClass: Profile { var box = Box() }
    struct ClassEntry: Profile { var boxes: [String: Box] = [:] }
    struct BelowWhole: Profile { @Whole var stats = Ruled() }
    struct BelowFurthest: Profile { @Furthest(by: "games") var stats = Ruled() }
    struct InUnion: Profile { @Union var parts: Set<Ruled> = [] }
    struct InLog: Profile { @Log(sortedBy: "games") var parts: [Ruled] = [] }
    struct InList: Profile { var parts: [Ruled] = [] }
    struct BareList: Profile { var path: [String] = [] }
    struct BareLists: Profile { var paths: [String: [Int]] = [:] }
    struct UnderLatest: Profile { @Latest var stats = Ruled() }
    struct Unmarked: Profile { var stats = Stray() }
    struct Endless: Profile { var tree = Nested() }
    struct Keys: Profile { var byPlain: [Plain: Int] = [:] }
    struct VersionTaken: Profile { var version = "1" }
    struct WrongReset: Profile { static let resets = [ResetScope("all", at: ["/levels"])]; var level = 1 }
    struct NoID: ProfilePart, Identifiable { var slot = ""; var id: String { slot } }
    struct KeyedByNothing: Profile { @Keyed var list: [NoID] = [] }
    struct SortedByComputed: Profile { @Log(sortedBy: \.total) var list: [Score] = [] }
    struct Score: Codable, Hashable { var value = 1; var total: Int { value } }
    struct FurthestByRenamed: Profile { @Furthest(by: \.chapter) var it = Renamed() }
    struct Renamed: Codable { var chapter = 1; enum CodingKeys: String, CodingKey { case chapter = "c" } }
    struct LimitZero: Profile { @Log(sortedBy: \.value, limit: 0) var list: [Score] = [] }
    struct Star: Profile { var all = 1; enum CodingKeys: String, CodingKey { case all = "*" } }
    struct Unsaved: Profile { @Counter var coins = 0; var a = 1; enum CodingKeys: String, CodingKey { case a } }
    struct SameKey: Profile {
        var a = 1
        var b = 2
        init() {}
        init(from decoder: any Decoder) throws {}
        enum CodingKeys: String, CodingKey { case a }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(a, forKey: .a)
            try container.encode(b, forKey: .a)
        }
    }
    struct NoObject: Profile {
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }
    struct RankedObject: Profile { @Highest var place = Place() }
    struct StartingPurse: Profile { @Counter var coins = 100 }
    struct StartingEntry: Profile { @Counter var coins: [String: Int] = ["a": 0, "b": 1] }
    struct Place: Codable, RankedValue { var x = 1 }

    private static let bareListAdvice =
        "lost; write @Keyed (elements with an id), @Log (entries that only come), or @Latest (the last writer wins as a "
        + "whole)"

    static let refused: [(any Profile.Type, String)] = [
        (AClass.self, "AClass.box: Box is a class; a profile holds values, so make it a struct"),
        (ClassEntry.self, "ClassEntry.boxes: Box is a class; a profile holds values, so make it a struct"),
        (
            BelowWhole.self,
            "BelowWhole.stats: @Whole takes Ruled as one value, in which @Counter games does nothing; drop one of "
                + "the two"
        ),
        (
            BelowFurthest.self,
            "BelowFurthest.stats: @Furthest takes Ruled as one value, in which @Counter games does nothing; "
                + "drop one of the two"
        ),
        (
            InUnion.self,
            "InUnion.parts: @Union takes Ruled as one value, in which @Counter games does nothing; drop one of the two"
        ),
        (
            InLog.self,
            "InLog.parts: @Log takes Ruled as one value, in which @Counter games does nothing; drop one of the two"
        ),
        (
            InList.self,
            "InList.parts: Ruled has rules of its own (@Counter games), and nothing tells the elements apart; "
                + "use a list with @Keyed, or drop the rules of Ruled"
        ),
        (
            BareList.self,
            "BareList.path: is a list without a wrapper, and of what two devices add to it apart one part would be "
                + bareListAdvice
        ),
        (
            BareLists.self,
            "BareLists.paths: is a list without a wrapper, and of what two devices add to it apart one part would be "
                + bareListAdvice
        ),
        (
            UnderLatest.self,
            "UnderLatest.stats: Ruled is a part, whose fields merge by themselves; drop @Latest"
        ),
        (
            Unmarked.self,
            "Unmarked.stats.games: @Counter does nothing inside Stray, which is saved as one value; "
                + "make that a ProfilePart with rules of its own, or drop @Counter"
        ),
        (
            Endless.self,
            "Endless.tree.inner: Nested contains itself, so that its rules would have no end; hold the inner ones "
                + "as one value, in a struct that is Codable and no ProfilePart"
        ),
        (
            Keys.self,
            "Keys.byPlain: Swift saves a dictionary with keys of Plain as a list; make Plain CodingKeyRepresentable"
        ),
        (
            VersionTaken.self,
            "VersionTaken.version: this is where the save keeps its version; remove the field, "
                + "or name another place with versionAt"
        ),
        (WrongReset.self, "WrongReset: the reset \"all\" names \"/levels\", and WrongReset has no such field"),
        (
            KeyedByNothing.self,
            "KeyedByNothing.list: @Keyed: NoID saves no \"id\"; where CodingKeys give it another name, write that, "
                + "in quotes: by: \"…\""
        ),
        (
            SortedByComputed.self,
            "SortedByComputed.list: @Log: \"sortedBy\" takes a stored member of Score; "
                + "name the key that the save has for it, in quotes"
        ),
        (
            FurthestByRenamed.self,
            "FurthestByRenamed.it: @Furthest: Renamed saves no \"chapter\"; where CodingKeys give it another name, "
                + "write that, in quotes: by: \"…\""
        ),
        (LimitZero.self, "LimitZero.list: \"limit\" takes a whole number from 1 to 1000000"),
        (
            Star.self,
            "Star.*: the key means something else in a rule file; give the field another in CodingKeys"
        ),
        (
            Unsaved.self,
            "Unsaved.coins: @Counter means nothing here, because the type does not save the field so; "
                + "add it to CodingKeys, leave encode(to:) to Swift, or drop @Counter"
        ),
        (SameKey.self, "SameKey.a: two fields have this key; give one of them another in CodingKeys"),
        (NoObject.self, "NoObject: NoObject is saved as one plain value; leave its encode(to:) to Swift"),
        (
            StartingPurse.self,
            "StartingPurse.coins: begins at 100, and every device would bring its own; let the counter begin at 0, "
                + "and add what a player starts with where the game shows it"
        ),
        (
            StartingEntry.self,
            "StartingEntry.coins.b: begins at 1, and every device would bring its own; let the counter begin at 0, "
                + "and add what a player starts with where the game shows it"
        ),
        (RankedObject.self, "RankedObject.place: is saved as an object, and max takes one plain value"),
    ]

    @Test("the sentence names type and field, and says what to do", arguments: refused.indices)
    func sentences(index: Int) {
        let (type, sentence) = Self.refused[index]
        #expect(refusal(of: type) == sentence)
    }

    @Test("what looks alike and is fine") func allowed() throws {
        struct Fine: Profile {
            @Local var session = Ruled()
            @Furthest(by: "c") var campaign = Renamed()
            @Furthest(by: \.chapter, \.xp) var maybe: Campaign?
            @Union var positions: Set<Position> = []
            @Latest var parts: [Empty] = []
            @Lowest var laps: [String: Double] = ["a": 3]
            @Latest var favourites: Set<String> = []
            @Latest var moves: [String: [Int]] = [:]
        }
        #expect(
            try Fine.rules.entries.map(\.pattern.description) == [
                "/session", "/campaign", "/maybe", "/positions", "/parts", "/laps/*", "/favourites",
                "/moves/*",
            ]
        )
        #expect(try rule("/campaign", of: Fine.self).by == ["c"])
        #expect(try rule("/laps/*", of: Fine.self).none == [])
        #expect(try rule("/favourites", of: Fine.self) == MergeRule(.latest))
    }
}
