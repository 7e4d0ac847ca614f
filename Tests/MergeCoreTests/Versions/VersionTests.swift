import LosslessJSON
import MergeCore
import Testing

/// What version a save is of.
struct VersionTests {
    private static let chain = versioned([
        Migration(from: "winter", to: "1.10", steps: []), Migration(from: "1.10", to: "1.9", steps: []),
        Migration(from: "1.9", to: "2.0", steps: []),
    ])

    @Test func versionsAreOrderedAsListed() {
        let order = VersionOrder(Self.chain)
        #expect(order.versions == ["winter", "1.10", "1.9", "2.0"])
        #expect(order.index(of: "1.9") == 2 && order.index(of: "1.1") == nil)
    }

    @Test(arguments: [
        (#"{"v":"2.0"}"#, SaveVersion.same), (#"{"v":"1.10"}"#, .older("1.10")), (#"{"v":"winter"}"#, .older("winter")),
        (#"{"v":2.0}"#, .same), (#"{"v":2}"#, .same), (#"{"v":1.9}"#, .older("1.9")), (#"{"v":1.90}"#, .older("1.9")),
        (#"{"v":"2.0.1"}"#, .newer("2.0.1")), (#"{"v":"v3-beta"}"#, .newer("v3-beta")), (#"{"v":10}"#, .newer("10")),
        (#"{"v":"2.00"}"#, .unknown("2.00")), (#"{"v":"1.5"}"#, .unknown("1.5")),
        (#"{"v":"summer"}"#, .unknown("summer")),
        ("{}", .unversioned), ("[]", .unversioned), (#"{"v":null}"#, .unversioned), (#"{"v":""}"#, .unversioned),
        (#"{"v":{}}"#, .unversioned), (#"{"v":true}"#, .unversioned),
    ])
    func aSaveSaysItsVersion(_ save: String, _ version: SaveVersion) {
        #expect(SaveVersion.detect(document(save), Self.chain) == version)
    }

    @Test func aDeviceThatStaysBehindSeesListedVersionsAsNewer() {
        #expect(SaveVersion.detect(document(#"{"v":"2.0"}"#), Self.chain, target: "1.10") == .newer("2.0"))
        #expect(SaveVersion.detect(document(#"{"v":"winter"}"#), Self.chain, target: "1.10") == .older("winter"))
    }

    @Test func rulesWithoutAVersionCompareNothing() {
        #expect(SaveVersion.detect(document(#"{"v":"7"}"#), .empty) == .same)
    }

    @Test(arguments: [
        ([("1", "2"), ("3", "4")], "begins at \"3\", but the one before it ends at \"2\""),
        ([("1", "2"), ("2", "1")], "occurs twice"), ([("1", "1")], "occurs twice"),
        ([("1", "3")], "the migrations end at \"3\", but \"version\" is \"4\""),
        ([("", "4")], "a version has 1 to 256 bytes"),
    ])
    func migrationsAreOneChain(_ list: [(String, String)], _ says: String) throws {
        let migrations = list.map { Migration(from: $0.0, to: $0.1, steps: []) }
        let error = try #require(throws: RuleError.self) {
            try RuleSet([], version: "4", versionAt: "/v", migrations: migrations)
        }
        #expect(error.message.contains(says), "\(error)")
    }

    @Test func migrationsNeedAVersionAndItsPlace() throws {
        let list = [Migration(from: "1", to: "2", steps: [])]
        #expect(throws: RuleError.self) { try RuleSet([], version: "2", migrations: list) }
        #expect(throws: RuleError.self) { try RuleSet([], versionAt: "/v", migrations: list) }
        let legacy = Migration(from: nil, to: "7", steps: [])
        let error = try #require(throws: RuleError.self) {
            try RuleSet([], version: "2", versionAt: "/v", migrations: list, legacy: legacy)
        }
        #expect(error.word == "legacy" && error.message.contains("\"7\", which is no version of this file"))
    }

    @Test func whatTravelsSaysTheSame() throws {
        let steps =
            MigrationStepTests.cases.map(\.step) + [
                .remove(at("/a")),
                .compensate(pointer("/coins"), add: JSONNumber(text: "1.50")!, for: pointer("/a~1b")),
            ]
        let rules = versioned(
            [Migration(from: "1", to: "2", steps: steps)],
            legacy: Migration(from: nil, to: "1", steps: steps)
        )
        #expect(try RuleSet(json: JSONValue(parsing: rules.json.jsonBytes)) == rules)
    }

    @Test(arguments: [
        #"{"steps":[]}"#, #"{"from":"1","to":"2","steps":[{"fly":{"path":"/a"}}]}"#,
        #"{"from":"1","to":"2","steps":[{"remove":{"path":"/a","to":"/b"}}]}"#,
        #"{"from":"1","to":"2","steps":[{"remove":{"path":""}}]}"#,
        #"{"from":"1","to":"2","steps":[{"remove":{"path":"/**"}}]}"#,
        #"{"from":"1","to":"2","steps":[{"move":{"path":"/a","to":"/a/b"}}]}"#, #"{"from":"1","to":"2","when":1}"#,
        #"{"from":"1","to":"2","steps":[{"compensate":{"path":"/a","add":-1}}]}"#,
        #"{"from":"1","to":"2","steps":[{}]}"#,
        #"{"from":"1","to":"2","steps":[{"map":{"path":"/a","values":[[1,2],[1.0,3]]}}]}"#, "7",
        #"{"from":"1","to":"2","steps":[{"split":{"path":"/a","by":"","into":["x","y"]}}]}"#,
        #"{"from":"1","to":"2","steps":[{"rename":{"path":"/a","to":"/b"}}]}"#,
    ])
    func whatThisVersionDoesNotKnowIsRefused(_ migration: String) {
        let text = #"{"version":"2","versionAt":"/v","rules":[],"migrations":[\#(migration)]}"#
        #expect(throws: RuleError.self) { try RuleSet(json: json(text)) }
    }
}
