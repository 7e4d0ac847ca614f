import LosslessJSON
import MergeCore
import RuleFile
import SaveOracle

/// What merges cases: in both orders of the files.
protocol MergesCases {
    /// How many cases run at once.
    static var atOnce: Int { get }

    /// Merges each case with its base, A and B and then B and A. At most ``atOnce`` cases.
    func run(_ cases: [MergeCase]) -> [MergeOutcome]
}

/// Merges cases with the library, as `hearth merge` does: no process and no file, so that a run of many thousands takes
/// minutes.
struct MergeLibrary: MergesCases {
    static let atOnce = 1

    func run(_ cases: [MergeCase]) -> [MergeOutcome] {
        cases.map { item in
            let sides = [(item.a, item.timeA), (item.b, item.timeB)]
            let ends = [(0, 1), (1, 0)].map { end(item, sides[$0.0], sides[$0.1]) }
            return MergeOutcome(codes: ends.map(\.code), outputs: ends.map(\.output), errors: ends.map(\.errors))
        }
    }

    /// The exit code, what is printed, and what is said beside, as the program has them.
    private func end(
        _ item: MergeCase, _ a: (JSON, Int), _ b: (JSON, Int)
    ) -> (code: Int32, output: String, errors: String) {
        func side(_ save: JSON, _ time: Int) throws -> ThreeWayMerge.Side {
            .init(
                try JSONDocument(parsing: Array(save.text(item.layout).utf8)),
                time: WallTime(milliseconds: Int64(time) * 1_000))
        }
        do {
            let merge = try ThreeWayMerge(
                a: side(a.0, a.1), b: side(b.0, b.1), base: side(item.base, 1_000),
                rules: RuleSet(yaml: item.rules.yaml))
            let said = merge.questions.map(\.description).joined(separator: "; ")
            return (said.isEmpty ? 0 : 3, String(decoding: merge.bytes, as: UTF8.self), said)
        } catch {
            return (1, "", "\(error)")
        }
    }
}
