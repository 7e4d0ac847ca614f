import LosslessJSON
import MergeCore

// Two machines played on from one save; both keep everything.
let common = try JSONDocument(parsing: Array(#"{"coins": 100, "level": 1}"#.utf8))
let laptop = try JSONDocument(parsing: Array(#"{"coins": 120, "level": 2}"#.utf8))
let desktop = try JSONDocument(parsing: Array(#"{"coins": 107, "level": 5}"#.utf8))
let rules = try RuleSet([
    RuleSet.Entry(RulePattern(parsing: "/coins"), MergeRule(.counter)),
    RuleSet.Entry(RulePattern(parsing: "/level"), MergeRule(.max)),
])
let merge = try ThreeWayMerge(
    a: .init(laptop, time: 1_000), b: .init(desktop, time: 2_000), base: .init(common, time: 0), rules: rules)
print(String(decoding: merge.bytes, as: UTF8.self))
