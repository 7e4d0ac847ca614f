import Glibc
import LosslessJSON
import MergeCore

/// A large JSON document.
enum DocumentBench {
    static func run(_ path: String, _ runs: Int) {
        let bytes = Files.read(path)
        // One whole number somewhere in the middle becomes another.
        guard let place = (bytes.count / 2..<bytes.count).first(where: { bytes[$0] == UInt8(ascii: "7") }) else {
            print("\(path) has no 7 in its second half to be changed")
            exit(1)
        }
        var other = bytes
        other[place] = UInt8(ascii: "8")
        var figures = Figures()
        figures.size("bytes", bytes.count)
        for run in 0...runs {
            if run == 1 { figures.forgetTimes() }
            var document: JSONDocument?
            figures.time("parse") { document = try? JSONDocument(parsing: bytes) }
            guard let document, let changed = try? JSONDocument(parsing: other) else {
                print("\(path) is no JSON")
                exit(1)
            }
            var diff: DocumentDiff?
            figures.time("diff") { diff = DocumentDiff(from: document, to: changed, rules: .empty) }
            check(diff?.changes.count == 1)
            figures.time("values") { _ = document.value(document.root) }
        }
        figures.print()
    }
}
