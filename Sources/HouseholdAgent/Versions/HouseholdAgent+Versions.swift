import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// Migrations of the file on this device to another version of its game.
extension HouseholdAgent {
    /// Takes the file on this device to another version: forward to the version of the rules, or back to an earlier
    /// one.
    mutating func migrate(_ call: Call<MigrateRequest>, _ request: MigrateRequest, now: Moment) {
        let (version, backup, dryRun) = (request.to, request.backup, request.dryRun)
        guard let profile = one(named: request.profile, for: call.id) else { return }
        let start = settings.uptime()
        do {
            var outcome = try engine.migrate(
                profile, to: version, from: backup == Self.newest ? nil : backup, dryRun: dryRun, tag: random.next(),
                now: now)
            if backup == Self.newest, let offered = outcome.offered, !outcome.report.errors.isEmpty {
                outcome = try engine.migrate(
                    profile, to: version, from: offered, dryRun: dryRun, tag: random.next(), now: now)
            }
            outcome.report.duration = settings.uptime() - start
            let summary = note(outcome, of: profile, isDryRun: dryRun)
            guard let error = outcome.report.errors.first else { return answer(call) { _ in summary } }
            guard let offered = outcome.offered else {
                return fail(call.id, .failed, "\(error); the file is as it was")
            }
            fail(
                call.id, .needsDecision,
                "\(error); the file is as it was. Backup \(offered) is the save from before the migration; what "
                    + "was played since stays with the household. To put it into the file here: hearth migrate "
                    + "\(engine.word(profile)) --to \(ShellWord.quoted(outcome.report.to)) --backup \(offered)")
        } catch {
            fail(call.id, isNewer(profile) ? .tooOld : .failed, error.message)
        }
    }

    private static var newest: String { "newest" }

    /// Upcasts the file after the rules of its profile were changed on this device: the game here is then of the new
    /// version, and its file must be too. Returns a message for the player.
    mutating func upcastFile(_ profile: ProfileID, now: Moment) -> String? {
        guard case .behind = engine.profiles[profile]?.file.versionStatus else { return nil }
        let start = settings.uptime()
        do {
            var outcome = try engine.migrate(profile, to: nil, tag: random.next(), now: now)
            outcome.report.duration = settings.uptime() - start
            let summary = note(outcome, of: profile, isDryRun: false)
            if let error = outcome.report.errors.first {
                return "the rules were changed, and the file is as it was: \(error)"
            }
            let back =
                summary.from.map {
                    "; to go back, on this device: hearth migrate \(engine.word(profile)) --to \(ShellWord.quoted($0))"
                } ?? ""
            return "the rules were changed, and the file is of version \(summary.to) now\(back)"
        } catch {
            return "the rules were changed, and the file is as it was: \(error.message)"
        }
    }

    /// Writes the migration log: one line for each migration, with everything that the report says.
    private mutating func note(_ outcome: FileMigration, of profile: ProfileID, isDryRun: Bool) -> MigrationSummary {
        let held = engine.profiles[profile]
        let summary = MigrationSummary(
            outcome.report, profile: held?.name ?? profile.description, file: held?.file.path, isDryRun: isDryRun,
            backup: outcome.backup)
        guard !isDryRun else { return summary }
        func list(_ values: [MigrationSummary.Value]) -> String {
            values.prefix(50).map { "\($0.place)=\($0.value.prefix(100))" }.joined(separator: " ")
        }
        var metadata = [
            "profile": summary.profile, "to": summary.to, "sizeBefore": String(summary.sizeBefore),
            "sizeAfter": String(summary.sizeAfter), "milliseconds": String(summary.milliseconds ?? 0),
            "steps": summary.steps.map { "\($0.word) \($0.path): \($0.failure ?? String($0.changed))" }
                .joined(separator: "; "),
        ]
        let optional = [
            ("from", summary.from ?? ""), ("backup", summary.backup ?? ""), ("file", summary.file ?? ""),
            ("kept", summary.kept.prefix(50).joined(separator: " ")), ("defaulted", list(summary.defaulted)),
            ("dropped", list(summary.dropped)), ("unmapped", list(summary.unmapped)),
            ("unreadable", list(summary.unreadable)), ("errors", summary.errors.joined(separator: "; ")),
        ]
        for (key, text) in optional where !text.isEmpty { metadata[key] = text }
        let isDone = summary.errors.isEmpty
        log(isDone ? .notice : .warning, isDone ? "a save was migrated" : "a save could not be migrated", metadata)
        return summary
    }

    private func isNewer(_ profile: ProfileID) -> Bool {
        guard let held = engine.profiles[profile], let path = held.file.path,
            let content = try? engine.files.read(path, limit: ProfileEngine<Files, Store>.fileLimit),
            let document = try? JSONDocument(parsing: content.bytes),
            case .newer = SaveVersion.detect(document, held.rules)
        else { return false }
        return true
    }
}
