import TestSupport
import Testing

@testable import Plasticiti

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One or more devices, each with a folder that is removed at the end.
final class Table {
    static let isSet = BuiltProgram.path("Plasticiti") != nil

    let folder: String

    init() throws {
        folder = "/tmp/plasticiti-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func home(_ device: String) -> String { "\(folder)/\(device)" }

    /// Starts Plasticiti on a device.
    func play(
        on device: String = "laptop", seed: UInt64 = 7, offline: Bool = true, environment: [String] = [],
        columns: Int = 80, rows: Int = 24
    ) throws -> Pty {
        try Pty(
            "Plasticiti", ["--home", home(device), "--seed", "\(seed)"] + (offline ? ["--offline"] : []),
            home: folder, environment: environment, columns: columns, rows: rows)
    }

    func hearth(_ arguments: String...) throws -> Pty { try Pty("hearth", arguments, home: folder) }

    /// Overwrites a device's save, and returns its path.
    func damage(_ device: String = "laptop", with text: String) throws -> String {
        guard let path = path(device) else { throw Pty.Trouble("no save of \(device)") }
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// The text of a device's save.
    func save(of device: String = "laptop") -> String { path(device).map { text(of: $0) } ?? "" }

    private func path(_ device: String) -> String? {
        let folder = home(device) + "/saves"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Hidden files are temporary files of a save.
        return names.first { $0.hasSuffix(".json") && !$0.hasPrefix(".") && $0 != "profiles.json" }
            .map { "\(folder)/\($0)" }
    }

    func text(of path: String) -> String {
        String(decoding: (try? Data(contentsOf: URL(filePath: path))) ?? Data(), as: UTF8.self)
    }

    /// The answer of the first game of Wordley that a new profile gets with this seed.
    static func answer(seed: UInt64) -> String {
        var dice = Dice(seed: seed)
        var inner = Dice(seed: dice.next())
        return Wordley(level: 1, using: &inner).answer
    }
}

extension Pty {
    static let (escape, enter) = ("\u{1B}", "\r")

    /// Waits for the menu.
    @discardableResult
    func menu() async throws -> String { try await see("P L A S T I C I T I") }

    /// Makes a guess, and waits for its result.
    @discardableResult
    func guess(_ word: String, row: Int) async throws -> String {
        try type(word + Self.enter)
        return try await see("the answer to \(word)") { screen in
            screen.text.contains("guess \(row + 1) of") || !screen.text.contains("WORDLEY")
        }
    }

    /// Wins the first game of a seed with the first guess.
    func winWordley(seed: UInt64 = 7) async throws {
        try await menu()
        try type("1")
        try await see("guess 1 of")
        try await guess(Table.answer(seed: seed), row: 1)
        try await see("VICTORY")
    }
}
