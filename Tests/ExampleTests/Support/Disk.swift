#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The few file operations that the tests need.
enum Disk {
    static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file, and creates its folder where needed.
    static func write(_ text: String, to path: String) throws {
        try makeFolder(URL(filePath: path).deletingLastPathComponent().path)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Flips a bit in the middle of a file.
    static func flip(_ path: String) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

/// Why a test cannot go on.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Waits until a condition holds; false where it does not hold in time.
func eventually(_ limit: Duration = .seconds(10), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return try await condition()
}
