import LosslessJSON
import MergeCore

/// Merges texts; times are in seconds.
func merge(
    _ a: String, _ b: String, base: String? = nil, rules: RuleSet = .empty, times: (a: Int64, b: Int64) = (100, 200)
) throws -> String {
    text(try merging(a, b, base: base, rules: rules, times: times).bytes)
}

func merging(
    _ a: String, _ b: String, base: String? = nil, rules: RuleSet = .empty, times: (a: Int64, b: Int64) = (100, 200)
) throws -> ThreeWayMerge {
    try ThreeWayMerge(
        a: ThreeWayMerge.Side(document(a), time: WallTime(milliseconds: times.a * 1_000)),
        b: ThreeWayMerge.Side(document(b), time: WallTime(milliseconds: times.b * 1_000)),
        base: base.map { ThreeWayMerge.Side(document($0), time: 0) },
        rules: rules
    )
}
