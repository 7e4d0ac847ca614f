import LosslessJSON
import TestSupport
import Testing
import ZlibStreams

@testable import HTTPInterface

/// The files of the page, as they are served.
@Suite(.timeLimit(.minutes(5))) struct PageFileTests {
    /// The folder that they come from.
    private static let folder = ExampleFiles.root + "/Sources/CPageFiles/page"

    private static func text(_ path: String) -> String {
        String(decoding: PageFile(at: path)?.bytes ?? [], as: UTF8.self)
    }

    private static var scripts: [String] { PageFile.paths.filter { $0.hasSuffix(".js") } }

    /// What only a German page loads: the agent's sentences in German. It is loaded behind the first paint.
    private static let german = ["/app/translate.js", "/app/german.js"]

    @Test func everyFileOfTheFolderIsServedAsItIs() {
        let names =
            Disk.names(in: Self.folder).filter { $0 != "app" }.map { "/" + $0 }
            + Disk.names(in: Self.folder + "/app").map { "/app/" + $0 }
        #expect(Set(names) == Set(PageFile.paths))
        for path in names { #expect(PageFile(at: path)?.bytes == Disk.read(Self.folder + path), "\(path)") }
        #expect(PageFile(at: "/")?.path == "/index.html")
    }

    @Test(arguments: [
        "", "//", "/index.htm", "/app", "/app/", "/app/../index.html", "/INDEX.HTML", "/index.html/", "/page.token",
    ])
    func nothingElseIs(_ path: String) { #expect(PageFile(at: path) == nil) }

    /// As a browser takes it, and what it has to read then.
    @Test func theWholePageIsSmall() {
        let page = Self.size(PageFile.paths.filter { !Self.german.contains($0) })
        #expect(page.sent > 10_000 && page.sent <= 72 << 10, "\(page.sent)")
        #expect(page.read <= 192 << 10, "\(page.read)")
        let german = Self.size(Self.german)
        #expect(german.sent > 10_000 && german.sent <= 32 << 10, "\(german.sent)")
        #expect(german.read <= 96 << 10, "\(german.read)")
    }

    /// The bytes of files, as they are sent and as the browser reads them.
    private static func size(_ paths: [String]) -> (sent: Int, read: Int) {
        let files = paths.compactMap { PageFile(at: $0) }
        return (
            files.reduce(0) { $0 + $1.answer(accepting: "gzip, deflate, br").body.count },
            files.reduce(0) { $0 + $1.bytes.count }
        )
    }

    @Test(arguments: [
        ("gzip, deflate, br, zstd", true), ("deflate", true), ("DEFLATE;q=0.5", true), ("gzip,deflate ; q=1", true),
        ("gzip", false), ("deflate;q=0", false), ("deflate; q=0.0", false), ("deflatex", false), ("", false),
    ])
    func itIsCompressedWhereTheBrowserTakesThat(_ encodings: String, isCompressed: Bool) throws {
        let file = try #require(PageFile(at: "/style.css"))
        let answer = file.answer(accepting: encodings)
        #expect(answer.headers.contains { $0 == ("content-encoding", "deflate") } == isCompressed)
        let read = try isCompressed ? ZlibStream.inflated(answer.body, limit: 1 << 20) : answer.body
        #expect(read == file.bytes)
    }

    /// Elements are made from names and texts alone, so that a name never becomes more than text.
    @Test(arguments: scripts) func noElementIsMadeFromMarkup(_ path: String) {
        let text = Self.text(path)
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "DOMParser",
            "srcdoc", "eval(", "new Function", "setHTML", "setTimeout(\"", "javascript:",
        ] {
            #expect(!text.contains(word), "\(path) has \(word)")
        }
    }

    /// So whoever has opened the page from another site can do nothing with its window.
    @Test(arguments: scripts) func noScriptHearsOtherWindows(_ path: String) {
        let text = Self.text(path)
        for word in ["\"message\"", "onmessage", "postMessage", "opener", "iframe", "BroadcastChannel", "window.open"] {
            #expect(!text.contains(word), "\(path) has \(word)")
        }
    }

    @Test func nothingComesFromElsewhereAndNothingIsInline() {
        for path in PageFile.paths {
            let text = Self.text(path).replacing("http://www.w3.org/2000/svg", with: "")
            for word in ["http://", "https://", "//cdn", "@import", "url("] {
                #expect(!text.contains(word), "\(path) has \(word)")
            }
        }
        let html = Self.text("/index.html")
        #expect(!html.contains("<style") && !html.contains(" style=") && html.matches(of: #/ on[a-z]+=/#).isEmpty)
        #expect(html.matches(of: /<script[^>]*>/).allSatisfy { $0.output.contains("src=\"/app/") })
    }

    /// Every module that is imported is there.
    @Test(arguments: scripts) func whatIsImportedIsServed(_ path: String) {
        for found in Self.text(path).matches(of: #/(?:from |import\()"\./([a-z]+\.js)"/#) {
            #expect(PageFile(at: "/app/" + found.output.1) != nil, "\(path) wants \(found.output.1)")
        }
    }

    /// The browser asks for all modules at once, instead of for one after the other as it reads them. An English page asks for
    /// nothing that is German alone.
    @Test func everyModuleIsAskedForAtOnce() {
        let html = Self.text("/index.html")
        for path in Self.scripts where path != "/app/main.js" {
            let isAsked = html.contains("<link rel=\"modulepreload\" href=\"\(path)\">")
            #expect(isAsked == !Self.german.contains(path), "\(path)")
        }
        for path in Self.scripts where !Self.german.contains(path) {
            for name in Self.german { #expect(!Self.text(path).contains("from \".\(name.dropFirst(4))\""), "\(path)") }
        }
    }

    @Test func bothLanguagesHaveTheSameWords() throws {
        let text = Self.text("/app/words.js")
        let parts = text.split(separator: "const de = {", maxSplits: 1)
        try #require(parts.count == 2)
        func names(_ part: Substring) -> [Substring] {
            let lines = part.split(separator: "\n").prefix { $0 != "};" }
            return lines.compactMap { $0.firstMatch(of: #/^ {2}([A-Za-z0-9_]+): /#)?.output.1 }
        }
        #expect(names(parts[0]).count > 100)
        #expect(names(parts[0]) == names(parts[1]))
        // What it is about stands in both, or in neither.
        func about(_ part: Substring) -> [Bool] {
            part.split(separator: "\n").prefix { $0 != "};" }.filter { $0.starts(with: #/ {2}[A-Za-z0-9_]+: /#) }
                .map { $0.contains("#") }
        }
        #expect(about(parts[0]) == about(parts[1]))
        // And every word that a script asks for is one of them.
        let known = Set(names(parts[0]))
        for path in Self.scripts {
            for found in Self.text(path).matches(of: /\bt\("([A-Za-z0-9_]+)"/) {
                #expect(known.contains(found.output.1), "\(path) wants \(found.output.1)")
            }
        }
    }

    /// Every request that the page sends is one of the agent's.
    @Test(arguments: scripts) func whatThePageAsksForIsThere(_ path: String) {
        let known = Set((try? Self.described()) ?? [])
        #expect(known.contains("status"))
        for found in Self.text(path).matches(of: /(?:ask|stream)\("([A-Za-z.]+)"|request: "([A-Za-z]+)"/) {
            guard let name = found.output.1 ?? found.output.2 else { continue }
            #expect(name.hasSuffix(".") || known.contains(String(name)), "\(path) asks for \(name)")
        }
    }

    private static func described() throws -> [String] {
        guard case .object(let paths)? = try JSONValue(parsing: APIDescription.json())["paths"] else { return [] }
        return paths.map { String($0.key.string.split(separator: "/").last ?? "") }
    }
}
