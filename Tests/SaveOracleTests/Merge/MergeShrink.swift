import SaveOracle

/// Makes a case that fails smaller, as long as it fails for the same cause.
struct MergeShrink<Program: MergesCases> {
    let program: Program
    let signature: String
    private(set) var tries = 0

    init(program: Program, signature: String) { (self.program, self.signature) = (program, signature) }

    mutating func shrink(_ item: MergeCase, atMost limit: Int = 200) -> MergeCase {
        var best = item
        while tries < limit, let next = firstThatFails(best.smaller(), limit) { best = next }
        return best
    }

    private mutating func firstThatFails(_ candidates: [MergeCase], _ limit: Int) -> MergeCase? {
        var start = 0
        while start < candidates.count, tries < limit {
            let batch = Array(candidates[start..<min(start + Program.atOnce, candidates.count)])
            start += batch.count
            tries += batch.count
            for (candidate, outcome) in zip(batch, program.run(batch)) {
                if candidate.findings(outcome).contains(where: { $0.signature == signature }) { return candidate }
            }
        }
        return nil
    }
}
