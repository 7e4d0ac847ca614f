import ArgumentParser
import Foundation
import HearthKit

struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sync now.")
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            let result = try await saves.sync()
            for name in result.inStep { print("\(name) has everything") }
            for name in result.behind { print("\(name) was not reached") }
            print("last sync: \(saves.lastSync?.formatted(.iso8601) ?? "never")")
        }
    }
}

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Bring your progress to this device.")
    @Flag(help: "Without asking.") var yes = false
    @OptionGroup var device: Device

    func run() async throws {
        let changes = try await device.play { saves -> AsyncStream<ProfileChange>? in
            guard let prompt = saves.pendingPrompt else {
                print("No other device has progress that is not here.")
                return nil
            }
            let time = prompt.lastPlayed?.formatted(.iso8601) ?? "at an unknown time"
            print("\(prompt.device ?? "Another device") has your progress, played last \(time):")
            for (place, value) in prompt.fields.sorted(by: { $0.key < $1.key }) { print("  \(place): \(value)") }
            if prompt.hasOwnProgress { print("What was played here stays, together with it.") }
            print("Bring it here? [y/n]")
            guard yes || readLine() == "y" else {
                prompt.later()
                print("Nothing was changed.")
                return nil
            }
            let changes = saves.changes
            try await prompt.restore()
            return changes
        }
        guard let changes else { return }
        var count = 0
        for await change in changes {
            print("  \(change)")
            count += 1
        }
        print("\(count) things came back.")
    }
}

struct Backups: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the backups on this device, or put one back.")
    @Option(help: "The number of a backup, as it is listed.") var restore: Int?
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            let backups = try await saves.backups()
            if let restore {
                guard backups.indices.contains(restore - 1) else { throw ValidationError("There is no such backup.") }
                try await saves.restore(backup: backups[restore - 1])
                print("It is as it was at \(backups[restore - 1].date.formatted(.iso8601)), on every device.")
                return
            }
            for (number, backup) in backups.enumerated() {
                let pools = backup.pools.map(\.rawValue).joined(separator: ", ")
                print("\(number + 1). \(backup.date.formatted(.iso8601)) \(pools) \(backup.damage ?? "")")
            }
        }
    }
}

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write everything into one file.")
    @Argument var file: String
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in try await saves.export(to: file) }
    }
}

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Merge an exported file in; nothing is lost.")
    @Argument var file: String
    @Flag(help: "Also from a device that was never paired with this one.") var trust = false
    @OptionGroup var device: Device

    func run() async throws {
        try await device.play { saves in
            let result = try await saves.importFile(file, trusting: trust)
            for change in result.changes {
                print("  \(change.path): \(change.old ?? "nothing") became \(change.new ?? "nothing")")
            }
            print("\(result.changes.count + result.more) things came from \(result.device ?? "an unknown device").")
        }
    }
}
