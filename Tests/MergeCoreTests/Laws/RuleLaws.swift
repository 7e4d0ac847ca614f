import LosslessJSON
import MergeCore

/// For each rule a shared save and what a game may write into it: the alphabet of the exhaustive tests.
struct RuleLaw: Sendable, CustomStringConvertible {
    let description: String
    let rules: RuleSet
    let start: String
    let saves: [String]

    init(_ description: String, _ list: KeyValuePairs<String, MergeRule>, _ start: String, _ saves: [String]) {
        (self.description, self.start, self.saves) = (description, start, saves)
        self.rules = MergeCoreTests.rules(list)
    }

    static let all: [RuleLaw] = [
        RuleLaw("latest", [:], #"{"a":1,"b":2}"#, [#"{"a":5,"b":2}"#, #"{"b":2}"#, #"{"a":1,"b":[1]}"#]),
        RuleLaw("max", ["/a": .init(.max)], #"{"a":3}"#, [#"{"a":5}"#, #"{"a":1}"#, #"{"a":"x"}"#, "{}"]),
        RuleLaw("min", ["/a": .init(.min, none: [0])], #"{"a":3}"#, [#"{"a":0}"#, #"{"a":1}"#, #"{"a":8}"#]),
        RuleLaw(
            "max as number", ["/a": .init(.max, as: .number)], #"{"a":"1e400"}"#,
            [#"{"a":"1e401"}"#, #"{"a":7}"#, #"{"a":"10e400"}"#]),
        RuleLaw(
            "max as date", ["/a": .init(.max, as: .date)], #"{"a":"2020-01-01"}"#,
            [#"{"a":"2021-01-01T00:00:00Z"}"#, #"{"a":"2021-01-01 01:00:00 +0100"}"#, #"{"a":"2019-01-01"}"#]),
        RuleLaw(
            "min as date", ["/a": .init(.min, as: .date)], "{}",
            [#"{"a":"2021-01-01"}"#, #"{"a":"2019-01-01"}"#, #"{"a":"2022-01-01"}"#]),
        RuleLaw("counter", ["/a": .init(.counter)], #"{"a":10}"#, [#"{"a":15}"#, #"{"a":2}"#, "{}"]),
        RuleLaw(
            "counter as number", ["/a": .init(.counter, as: .number)], #"{"a":"10"}"#,
            [#"{"a":"15.5"}"#, #"{"a":"2"}"#]),
        RuleLaw(
            "union", ["/a": .init(.union)], #"{"a":[1]}"#, [#"{"a":[1,2]}"#, #"{"a":[1,3,2]}"#, #"{"a":[]}"#, "{}"]),
        RuleLaw("set", ["/a": .init(.set)], #"{"a":[1,2]}"#, [#"{"a":[1]}"#, #"{"a":[3,1,2]}"#, #"{"a":[]}"#, "{}"]),
        RuleLaw(
            "order of a set", ["/a": .init(.set)], #"{"a":["b","c","a"]}"#,
            [
                #"{"a":["a","b","c"]}"#, #"{"a":["c","b","x","a"]}"#, #"{"a":["b","y","x","c","a"]}"#,
                #"{"a":["a","c"]}"#,
            ]),
        RuleLaw(
            "order of a union", ["/a": .init(.union)], #"{"a":[2,1]}"#,
            [#"{"a":[1,2]}"#, #"{"a":[9,2,1,10]}"#, #"{"a":[2,9,1]}"#]),
        RuleLaw(
            "order of keyed elements", ["/a[id]": .init(.latest)], #"{"a":[{"id":2},{"id":1},{"id":"x"}]}"#,
            [
                #"{"a":[{"id":1},{"id":2},{"id":"x"}]}"#, #"{"a":[{"id":3},{"id":2},{"id":1}]}"#,
                #"{"a":[{"id":"x"},{"id":3},{"id":2,"n":1},{"id":1}]}"#,
            ]),
        RuleLaw("flag", ["/a": .init(.flag)], #"{"a":false}"#, [#"{"a":true}"#, #"{"a":false}"#, "{}"]),
        RuleLaw(
            "keyed", ["/a[id]": .init(.latest), "/a[id]/n": .init(.counter)], #"{"a":[{"id":1,"n":2,"x":1}]}"#,
            [
                #"{"a":[{"id":1,"n":5,"x":2}]}"#, #"{"a":[]}"#, #"{"a":[{"id":2,"n":1,"x":1},{"id":1,"n":2,"x":1}]}"#,
                "{}",
            ]),
        RuleLaw(
            "indexed", ["/a/*": .init(.latest)], #"{"a":[1,2]}"#,
            [#"{"a":[1,2,3]}"#, #"{"a":[1]}"#, #"{"a":[5,2]}"#, #"{"a":[]}"#]),
        RuleLaw(
            "indexed max", ["/a/*/m": .init(.max)], #"{"a":[{"m":1}]}"#,
            [#"{"a":[{"m":2},{"m":1}]}"#, #"{"a":[{"m":0},{"m":7,"z":1}]}"#, #"{"a":[]}"#]),
        RuleLaw(
            "whole", ["/a": .init(.latest, whole: true)], #"{"a":{"x":1,"y":1}}"#,
            [#"{"a":{"x":2,"y":1}}"#, #"{"a":{"x":1,"y":2}}"#, "{}"]),
        RuleLaw("shapes", [:], #"{"a":{"b":1}}"#, [#"{"a":7}"#, #"{"a":{}}"#, #"{"a":{"b":2,"c":1}}"#, #"{"a":[]}"#]),
        RuleLaw(
            "containers", [:], #"{"a":{"b":{"c":1}}}"#,
            [#"{"a":{}}"#, "{}", #"{"a":{"b":{}}}"#, #"{"a":{"b":{"c":1,"d":2}}}"#]),
        RuleLaw(
            "removed objects", ["/a/*/m": .init(.max), "/a/*/n": .init(.counter)], #"{"a":{"x":{"m":5,"n":5}}}"#,
            [#"{"a":{}}"#, #"{"a":{"x":{"m":2,"n":3}}}"#, #"{"a":{"x":{"m":7,"n":5,"z":1}}}"#, "{}"]),
        RuleLaw(
            "removed sets", ["/a/*/u": .init(.union), "/a/*/f": .init(.flag)], #"{"a":{"x":{"u":[1],"f":true}}}"#,
            [#"{"a":{}}"#, #"{"a":{"x":{"u":[2],"f":false}}}"#, #"{"a":7}"#]),
        RuleLaw(
            "nothing yet", ["/a": .init(.min, none: [0])], #"{"a":0}"#, [#"{"a":null}"#, #"{"a":"x"}"#, #"{"a":4}"#]),
        RuleLaw("below zero", ["/a": .init(.counter)], #"{"a":1}"#, [#"{"a":-1}"#, #"{"a":0}"#, "{}"]),
        RuleLaw(
            "local", ["/a": .init(.local)], #"{"a":1,"b":1}"#,
            [#"{"a":2,"b":1}"#, #"{"b":2}"#, #"{"a":{"x":1},"b":1}"#]),
    ]
}
