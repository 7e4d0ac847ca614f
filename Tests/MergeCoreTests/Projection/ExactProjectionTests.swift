import LosslessJSON
import MergeCore
import Testing

/// A projection that leaves nothing of what the state never saw.
@Suite struct ExactProjectionTests {
    private let ruleSet = rules([
        "/coins": MergeRule(.counter), "/team[id]/n": MergeRule(.counter), "/runs/*/n": MergeRule(.counter),
        "/bag": MergeRule(.set), "/volume": MergeRule(.local),
    ])

    private func projected(_ text: String, isExact: Bool) throws -> String {
        let known = #"{"coins":5,"team":[{"id":1,"n":1},{"id":3}],"runs":[{"n":1}],"bag":[1],"name":"a","volume":3}"#
        let device = Device.household(1, ruleSet, sharing: known)[0]
        let document = try JSONDocument(parsing: Array(text.utf8))
        let edits = Projection(of: device.state, onto: document, isExact: isExact).edits
        return String(decoding: try document.patched(edits), as: UTF8.self)
    }

    /// What is known stays, down to the members that tell elements apart.
    @Test func whatTheStateKnowsStays() throws {
        let text = #"{"coins":5,"team":[{"id":1,"n":1},{"id":3}],"runs":[{"n":1}],"bag":[1],"name":"a","volume":7}"#
        #expect(try projected(text, isExact: true) == text)
    }

    @Test func whatItNeverSawGoes() throws {
        let text = #"""
            {"coins":5,"team":[{"id":1,"n":1,"x":2},{"id":2,"n":4},{"id":3,"y":1}],"runs":[{"n":1,"m":2},{"n":3}],"bag":[1],\#
            "name":"a","volume":7,"new":{"a":1,"b":[2]}}
            """#
        #expect(try projected(text, isExact: false) == text)
        let rest = #"{"coins":5,"team":[{"id":1,"n":1},{"id":3}],"runs":[{"n":1}],"bag":[1],"name":"a","volume":7}"#
        #expect(try projected(text, isExact: true) == rest)
    }

    /// No state holds the version of a file: its game writes it.
    @Test(arguments: [#"{"v":"2","coins":5,"new":1}"#, #"{"meta":{"v":"2","new":1},"coins":5}"#])
    func theVersionStays(text: String) throws {
        let place = text.hasPrefix(#"{"v""#) ? "/v" : "/meta/v"
        let rules = try RuleSet([], version: "2", versionAt: place)
        let device = Device.household(1, rules, sharing: #"{"coins":5}"#)[0]
        let document = try JSONDocument(parsing: Array(text.utf8))
        let bytes = try document.patched(Projection(of: device.state, onto: document, isExact: true).edits)
        #expect(String(decoding: bytes, as: UTF8.self) == text.replacing(#","new":1"#, with: ""))
    }
}
