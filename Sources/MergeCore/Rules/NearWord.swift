/// Finds the word that was probably meant by a mistyped one.
package enum NearWord {
    /// The known word nearest to a mistyped one: two letters wrong at most, and fewer than half of them.
    package static func of(_ word: String, in known: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars.prefix(40))
        var best: (word: String, distance: Int)?
        for candidate in known {
            let other = Array(candidate.lowercased().unicodeScalars)
            let distance = distance(letters, other)
            guard distance <= 2, distance * 2 < max(letters.count, other.count) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    /// The edit distance of two words: letters added, lost, changed, or swapped with their neighbour (optimal string
    /// alignment).
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var above = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(above[j] + (a[i] == b[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, above) = (above, row)
        }
        return above[b.count]
    }
}
