import Glibc

/// The entry: a temporary folder, the measurements, one report.
@main
enum StoreBench {
    static func main() {
        let isQuick = CommandLine.arguments.contains("--quick")
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/hearth-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            print("no temporary folder could be made in \(place)")
            exit(1)
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var report = Report()
        print("files in \(folder)\nColumns: median (least / 95 of 100 / most)")
        do {
            for (name, sections, rounds) in [("10 KB", 10, 60), ("1 MB", 1_000, 20), ("5 MB", 5_000, 10)] {
                try SaveCost.run(
                    &report, name, folder: "\(folder)/\(sections)", sections: sections, rounds: isQuick ? 5 : rounds)
            }
            try RecordSize.run(&report, folder: folder + "/size")
            try StartCost.run(&report, folder: folder + "/start", rounds: isQuick ? 2 : 7)
        } catch {
            print("\(error)\n(the files are in \(folder))")
            exit(1)
        }
        Files.removeAll(folder)
        report.finish()
    }
}

extension Files {
    /// Removes a folder that this program made, with all that is in it.
    static func removeAll(_ folder: String) {
        guard let stream = opendir(folder) else { return }
        defer {
            closedir(stream)
            rmdir(folder)
        }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let path = folder + "/" + name
            if unlink(path) != 0 { removeAll(path) }
        }
    }

    static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The work nobody can leave out: the bytes made durable and put in place.
    static func saveDurably(_ bytes: [UInt8], to path: String) throws {
        try write(bytes, to: path + ".new", sync: true)
        try rename(path + ".new", to: path)
    }
}

/// Seconds that something takes.
func time(_ body: () throws -> Void) rethrows -> Double {
    let start = seconds()
    try body()
    return seconds() - start
}
