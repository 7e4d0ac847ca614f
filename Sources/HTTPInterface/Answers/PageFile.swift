import CPageFiles
import ZlibStreams

/// A file of the page. All of them are part of the program, so that they are found wherever it is installed.
struct PageFile: Sendable {
    /// The path under which it is served.
    let path: String
    let type: String
    let bytes: [UInt8]

    /// The file at a path; `nil` where there is none.
    init?(at path: String) {
        guard let index = Self.paths.firstIndex(of: path == "/" ? "/index.html" : path),
            let file = hearth_page_file_at(index)?.pointee
        else { return nil }
        self.path = Self.paths[index]
        type = String(cString: file.type)
        bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
    }

    /// The file as an answer; a third as large where the browser takes it compressed, as all do: `deflate` (RFC 9110,
    /// section 8.4.1.2). No file of the page holds a secret, which its length could tell.
    ///
    /// - Parameter encodings: The headers `accept-encoding`, as one list; empty where there is none.
    func answer(accepting encodings: String) -> WebAnswer {
        guard Self.takesDeflate(encodings) else { return WebAnswer(200, type, bytes) }
        var answer = WebAnswer(200, type, ZlibStream.compressed(bytes))
        answer.headers = [("content-encoding", "deflate")]
        return answer
    }

    private static func takesDeflate(_ encodings: String) -> Bool {
        encodings.split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            return words.first == "deflate" && !words.dropFirst().contains { Double($0.dropFirst(2)) == 0 }
        }
    }

    /// The paths of all files, in the order of the table.
    static let paths: [String] = {
        var paths: [String] = []
        while let file = hearth_page_file_at(paths.count) { paths.append(String(cString: file.pointee.path)) }
        return paths
    }()
}
