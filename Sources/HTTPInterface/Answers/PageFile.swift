import CPageFiles

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

    /// The paths of all files, in the order of the table.
    static let paths: [String] = {
        var paths: [String] = []
        while let file = hearth_page_file_at(paths.count) { paths.append(String(cString: file.pointee.path)) }
        return paths
    }()
}
