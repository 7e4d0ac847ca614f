/// What came of one case of ``MergeCase``, in both orders of the files.
package struct MergeOutcome: Sendable {
    /// The exit codes.
    package var codes: [Int32]
    /// What was printed: the documents.
    package var outputs: [String]
    /// What was said beside.
    package var errors: [String]

    package init(codes: [Int32], outputs: [String], errors: [String]) {
        (self.codes, self.outputs, self.errors) = (codes, outputs, errors)
    }
}

extension MergeCase {
    /// What is wrong with what the program made of this case: in both orders, and between them.
    package func findings(_ outcome: MergeOutcome) -> [Finding] {
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
            let words = outcome.errors[own]
            let said = [0, 1].filter { words.contains(($0 == 0 ? "A" : "B") + " holds less than the base") }
            if (code == 3) == said.isEmpty {
                findings.append(
                    Finding(.words, "exit code \(code)", expected: "which side is asked about", found: words)
                )
            }
            // The program calls its first file A.
            let asked = Set(own == 0 ? said : said.map { 1 - $0 })
            findings += self.findings(result, own: own, asked: asked)
            let (mine, other) = own == 0 ? (a, b) : (b, a)
            let gains = SafeGains(rules: rules).taken(base, other)
            let isUntouched = asked == [1 - own] ? same(gains, base) : same(other, base)
            let isKept = !meanings[own].isPutBack && !meanings[own].isMixed && !asked.contains(own)
            let expected = rules.withTiesArranged(mine).text(layout)
            if isUntouched, isKept, output != expected, output != mine.text(layout), findings.isEmpty {
                findings.append(Finding(.oneWriter, "bytes nobody touched", expected: expected, found: output))
            }
        }
        for own in [0, 1] where findings.isEmpty {
            let mine = own == 0 ? a : b
            if let result = results[own] ?? nil { findings += bytes(of: result, outcome.outputs[own], on: mine) }
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

    /// What was not touched stands in the file as it stood: white space, and the members in their order.
    private func bytes(of result: JSON, _ output: String, on mine: JSON) -> [Finding] {
        var findings: [Finding] = []
        // An empty document shows no layout.
        if output != result.text(layout), !mine.isEmpty {
            findings.append(
                Finding(.manyWriters, "layout", expected: result.text(layout), found: output)
            )
        }
        func compare(_ old: JSON, _ new: JSON, _ place: Place) {
            if rules.rule(at: place).takesAll { return }
            if let old = old.members, let new = new.members {
                let (before, after) = (old.map(\.name), new.map(\.name))
                if before.filter(after.contains) != after.filter(before.contains) {
                    let (place, expected) = ("\(place)", "\(before)")
                    findings.append(
                        Finding(.manyWriters, "order of members", place: place, expected: expected, found: "\(after)")
                    )
                }
            }
            let shape = rules.shape(at: place)
            if old.elements != nil, shape == .value || shape == .elements { return }
            for step in old.steps(shape) {
                if let before = old.at(step), let after = new.at(step) { compare(before, after, place.appending(step)) }
            }
        }
        compare(mine, result, .root)
        return findings
    }
}
