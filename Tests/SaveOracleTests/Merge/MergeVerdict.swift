import SaveOracle

extension MergeCase {
    /// What is wrong with what the program made of this case: in both orders, and between them.
    func findings(_ outcome: MergeProgram.Outcome) -> [Finding] {
        var findings: [Finding] = []
        var results: [JSON?] = []
        for own in [0, 1] {
            let (code, output) = (outcome.codes[own], outcome.outputs[own])
            let result = JSON(output)
            results.append(code == 0 || code == 3 ? result : nil)
            guard code == 0 || code == 3 else {
                findings.append(
                    Finding(.words, "exit code \(code)", expected: "0 or 3", found: outcome.errors[own])
                )
                continue
            }
            guard let result else {
                findings.append(Finding(.manyWriters, "no JSON", expected: "a document", found: output))
                continue
            }
            findings += self.findings(result, own: own, asks: code == 3)
            let (mine, other) = own == 0 ? (a, b) : (b, a)
            let isPlay = !SaveMeaning(from: base, to: mine, rules: rules).mayBeAsked
            if same(other, base), isPlay, output != mine.text(layout), findings.isEmpty {
                findings.append(Finding(.oneWriter, "bytes nobody touched", expected: mine.text(layout), found: output))
            }
        }
        if findings.isEmpty, timeA != timeB, let first = results[0], let second = results[1],
            !rules.rules.contains(where: { $0.rule.merge == .local || $0.rule.merge == .choice }),
            !first.isSame(as: second, spelling: false)
        {
            findings.append(
                Finding(
                    .manyWriters,
                    "both orders",
                    expected: first.text(.spaced) + " as in the other order",
                    found: second.text(.spaced)
                )
            )
        }
        return findings
    }
}
