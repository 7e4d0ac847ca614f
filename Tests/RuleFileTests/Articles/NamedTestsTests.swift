import Foundation
import TestSupport
import Testing

/// The tests that *How merging works* names are there: a promise whose test was renamed or removed is noticed.
struct NamedTestsTests {
    /// A name as the article writes it: `Suite`, `Suite/test`, and before it the folder where that is not
    /// MergeCoreTests.
    private struct Name {
        let folder: String
        let suite: String
        let test: String?
    }

    private static func names() throws -> [Name] {
        let text = try Article.text(of: "HowMergingWorks")
        return text.matches(of: /`(?:([A-Z]\w*Tests)\/)?([A-Z]\w*Tests)(?:\/([a-z]\w*))?`/).map {
            Name(folder: $0.1.map(String.init) ?? "MergeCoreTests", suite: String($0.2), test: $0.3.map(String.init))
        }
    }

    @Test func everyNamedTestIsThere() throws {
        let names = try Self.names()
        #expect(names.count > 40)
        for (folder, names) in Dictionary(grouping: names, by: \.folder) {
            let sources = try Self.sources(in: folder)
            for name in names {
                // A suite may go on in an extension, in a file of its own.
                let isThere = sources.contains { text in
                    let isSuite = ["struct", "extension"].contains { kind in
                        [" ", ":"].contains { text.contains("\(kind) \(name.suite)\($0)") }
                    }
                    return isSuite && name.test.map { text.contains("func \($0)(") } ?? true
                }
                #expect(isThere, "there is no \(folder)/\(name.suite)/\(name.test ?? "")")
            }
        }
    }

    private static func sources(in folder: String) throws -> [String] {
        let path = "\(ExampleFiles.root)/Tests/\(folder)"
        return try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: URL(filePath: "\(path)/\($0)"), encoding: .utf8)
        }
    }
}
