import ArgumentParser
import Foundation
import HearthKit
import UnixSignals

/// A racing game with a single profile, which is the same on every device.
@main
struct ShiftShift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ShiftShift",
        abstract: "One profile on all devices: the one that got further wins.",
        subcommands: [Status.self, Play.self, Reset.self, Watch.self],
        defaultSubcommand: Status.self)
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show how far you are.")
    @OptionGroup var device: Device

    func run() async throws {
        let saves = try await device.open()
        say("file: \(saves.path)")
        let here = saves.profile.progress.summary
        say("here: \(here)")
        // Changes of other devices come in when the agent has reached them.
        await saves.subscribed(within: .seconds(3))
        let now = saves.profile.progress.summary
        if now != here { say("with your other devices: \(now)") }
        try await saves.close()
    }
}

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Drive: play 120 80 200")
    @Argument(help: "How many meters each shift brings.") var meters: [Int]
    @Option(help: "Where: meadow, forest, desert, glacier.") var run = "meadow"
    @OptionGroup var device: Device

    func run() async throws {
        let saves = try await device.open()
        for meters in meters {
            try await saves.update { career in
                career.progress.shift(meters, at: run)
                career.lastPlayed = .now
            }
            say("\(meters) m: \(saves.profile.progress.summary)")
        }
        await saves.subscribed(within: .seconds(3))
        try await saves.close()
    }
}

struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Start over, on every device.")
    @OptionGroup var device: Device

    func run() async throws {
        let saves = try await device.open()
        try await saves.reset()
        say("here: \(saves.profile.progress.summary)")
        try await saves.close()
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stay open; stop it with Ctrl-Z and come back with fg, and it looks for your other devices.")
    @OptionGroup var device: Device

    func run() async throws {
        let saves = try await device.open()
        let changes = saves.changes
        let returns = await UnixSignalsSequence(trapping: .sigcont)
        say("here: \(saves.profile.progress.summary)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes { say("now: \(saves.profile.progress.summary)") }
            }
            group.addTask {
                // An app with views does this when it becomes active.
                for await _ in returns {
                    say("in the foreground again")
                    try await saves.recheck()
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Prints a line at once, also into a file or a pipe.
private func say(_ line: String) {
    print(line)
    fflush(nil)
}
