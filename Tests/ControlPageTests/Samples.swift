import LosslessJSON
import MergeCore

@testable import HouseholdAgent

/// One of every request and every answer.
enum Samples {
    static let device = DeviceReport(
        id: "d1",
        name: "Couch \"deck\" / küche",
        isThisDevice: false,
        connected: true,
        address: "[fe80::1%eth0]:4000",
        reason: nil
    )
    static let otherDevice = DeviceReport(
        id: "d2",
        name: "",
        isThisDevice: true,
        connected: false,
        address: nil,
        reason: "asleep\nsince noon"
    )
    static let profile = ProfileReport(
        id: "p1",
        name: "player",
        file: "/saves/player.json",
        state: "good",
        reason: nil,
        remark: "regressed",
        unreadable: ["/a~1b", ""],
        pending: true,
        held: "universe-rpg",
        joinedInto: nil,
        lastSync: 1_763_683_200_123
    )
    static let relayed = ProfileReport(
        id: "p2",
        name: "other",
        file: nil,
        state: "relayed",
        reason: "no file",
        remark: nil,
        unreadable: [],
        pending: false,
        joinedInto: "p1",
        lastSync: nil
    )
    static let status = StatusReport(
        device: otherDevice,
        port: 4_000,
        discovery: "system",
        household: [device, otherDevice],
        profiles: [profile, relayed],
        troubles: ["The daemon is gone."]
    )
    static let bareStatus = StatusReport(
        device: otherDevice,
        port: nil,
        discovery: "off",
        household: [],
        profiles: [],
        troubles: []
    )

    static func rules() throws -> RuleSet {
        try RuleSet(
            json: JSONValue(
                parsing: Array(
                    #"""
                    {"profile":"player","rules":[{"path":"/level","merge":"max"},
                    {"path":"/name","merge":"max","none":["",0,1e2]}],"source":"# a comment\nrules:\n"}
                    """#.utf8
                )
            )
        )
    }

    static func requests() throws -> [AgentRequest] {
        [
            .add(path: "/saves/player.json", name: "player", rules: nil),
            .add(path: "/saves/\u{1F3AE} \"x\"\\.json", name: "", rules: try rules()),
            .restore(profile: "p1", path: "/elsewhere"),
            .remove(profile: "p1"),
            .move(profile: "p1", path: "/saves/other.json"),
            .forget(profile: "p1"),
            .pair,
            .join(code: "K7QM-2XWD-9TRB-H4FC", address: nil),
            .join(code: "K7QM", address: PeerAddress(host: "fe80::1%eth0", port: 65_535)),
            .join(code: "K7QM", address: PeerAddress(host: "deck.local", port: 1)),
            .unpair(device: "d1"),
            .sync(profile: nil),
            .sync(profile: "p1"),
            .pause(profile: nil),
            .pause(profile: "p1"),
            .resume(profile: nil),
            .resume(profile: "p1"),
            .play(profile: "p1", game: "universe \"rpg\"", since: nil),
            .play(profile: "p1", game: "", since: 1_763_683_200_123),
            .play(
                profile: "p1", game: "rpg", since: nil, mark: PlayMark(token: "0af9", client: 4_711, clientStart: 99)),
            .endPlay(RequestID(rawValue: 7)),
            .attach(Attaching(path: "/saves/\u{1F3AE}.json", name: "rpg/player", game: "rpg", rules: .empty)),
            .attach(
                Attaching(
                    path: "/s", id: ProfileID(high: 1, low: 2), name: "", game: "g", rules: .empty, changesRules: true,
                    twin: .apart, beganEmpty: true)),
            .bring(RequestID(rawValue: 8), hurry: false),
            .bring(RequestID(rawValue: 8), hurry: true),
            .taken(RequestID(rawValue: 9)),
            .status,
            .devices,
            .show(profile: "p1", pointer: nil),
            .show(profile: "p1", pointer: ""),
            .reset(profile: "p1", scope: nil),
            .reset(profile: "p1", scope: "progress"),
            .explain(profile: "p1", pointer: "/coins"),
            .backups(profile: "p1"),
            .restoreBackup(profile: "p1", backup: "00001.hearth"),
            .conflicts(profile: nil),
            .conflicts(profile: "p1"),
            .resolve(profile: "p1", pointer: "/ending", choice: 2),
            .history(profile: "p1", pointer: nil, limit: 20),
            .history(profile: "p1", pointer: "/items/[2]/count", limit: 1),
            .undo(profile: "p1", step: nil, force: false),
            .undo(profile: "p1", step: 12, force: true),
            .accept(profile: "p1", apart: false),
            .keep(profile: "p1"),
            .preview(.reset(profile: "p1", scope: "progress")),
            .preview(.restoreBackup(profile: "p1", backup: "b")),
            .preview(.undo(profile: "p1", step: nil, force: true)),
            .preview(.accept(profile: "p1", apart: true)),
            .preview(.restore(profile: "p1", path: "/saves/x", apart: true)),
            .summary(profile: "p1"),
            .export(profile: "p1", bare: false),
            .export(profile: "p1", bare: true),
            .importTransfer(path: "/home/import-1", to: nil, trusting: false, dryRun: true),
            .importTransfer(path: "/home/import-1", to: "/saves/\u{1F3AE}.json", trusting: true, dryRun: false),
            .importDocument(path: "/home/import-1", profile: "p1", dryRun: true),
            .pinBackup(profile: "p1", backup: "0000000001.backup", isPinned: true),
            .pinBackup(profile: "p1", backup: "0000000001.backup", isPinned: false),
        ]
    }

    static let replies: [AgentReply] = [
        .profile(profile, note: nil),
        .profile(relayed, note: "It was adopted before."),
        .profiles([]),
        .profiles([profile, relayed]),
        .code("K7QM-2XWD-9TRB-H4FC", expires: 1_763_683_200_123),
        .code("", expires: .min),
        .paired(device),
        .removed(otherDevice),
        .forgotten(profile),
        .synced(SyncReport(inStep: ["d1"], behind: ["d2", "d3"])),
        .synced(SyncReport(inStep: [], behind: [])),
        .synced(
            SyncReport(
                inStep: [], behind: [], filesBehind: ["d2"], troubles: ["gone"], decisions: ["choose"], held: ["later"],
                paused: ["rpg"])),
        .playing(PlayReport(play: 7, inStep: ["d1"], behind: [], trouble: nil)),
        .played(PlayedReport(changed: 3, inStep: [], behind: ["d2"], trouble: "It is gone.")),
        .attached(
            AttachmentReport(
                attachment: 7, number: 1, device: "deck", isPaused: false, trouble: nil, choices: 0, steps: [])),
        .news,
        .standing(
            AttachmentReport(
                attachment: 7, number: 3, device: "deck", isPaused: true, lastSync: 9, trouble: nil, choices: 0,
                steps: [])),
        .brought(
            AttachmentReport(
                attachment: 7, number: 2, device: "deck", profile: "p1", rulesTrouble: "older",
                offer: SummaryReport(profile: "game", id: "p2", device: nil, lastPlayed: nil, fields: []), isPaused: true,
                lastSync: 5, trouble: "full", choices: 2,
                steps: [HistoryReport(number: 1, time: 5, origin: "merge", devices: [], changes: [], more: 0)])),
        .done,
        .status(status),
        .status(bareStatus),
        .devices([]),
        .devices([device, otherDevice]),
        .document(Array("{\"a\": 1.0,\n\t\"b\": \"\\ud800 \\\"x\\\"\", \"ü\": 1e400}".utf8)),
        .document(Array("\u{FEFF}null".utf8)),
        .explained(
            ExplainReport(
                place: "/coins", rule: "counter", sentence: "480 = 300 + laptop earned 200 − deck spent 20",
                contributions: [
                    .init(text: "earned 200", device: "laptop", time: nil, counts: true),
                    .init(text: "wrote null", device: "", time: -1, counts: false),
                ])),
        .backups([]),
        .backups([
            BackupReport(name: "b", time: 5, pools: "changes, daily", isPinned: true, size: 9, damage: nil),
            BackupReport(name: "c", time: -1, pools: "", isPinned: false, size: nil, damage: "torn"),
            BackupReport(
                name: "copy-2026-11-21-ab", time: 7, pools: "daily", isPinned: false, size: 9, damage: nil,
                device: "laptop"),
        ]),
        .exported([], ExportReport(profile: "game", id: "p1", note: nil)),
        .exported([0x89, 0, 0xFF, 10, 13], ExportReport(profile: "", id: "p1", note: "late")),
        .imported(
            ImportReport(
                profile: "game", id: "p1", file: nil, source: .stranger, device: "deck", exported: 5, isNew: true,
                isDryRun: true,
                changes: [.init(place: "/coins", old: nil, new: "5"), .init(place: "", old: "1", new: nil)],
                more: 3, note: nil)),
        .imported(
            ImportReport(
                profile: "game",
                id: "p1",
                file: "/saves/x",
                source: .document,
                device: nil,
                exported: nil,
                isNew: false,
                isDryRun: false, changes: [], more: 0, note: "joined")),
        .conflicts([]),
        .conflicts([
            ConflictReport(
                profile: "game", id: "p1", place: "/ending",
                candidates: [.init(value: "\"good\"", device: "laptop", time: 5)]),
            ConflictReport(
                profile: "game", id: "p1", place: "/coins", candidates: [], information: "stands at −20"),
        ]),
        .history([]),
        .history([
            HistoryReport(
                number: 12, time: -1, origin: "merge", devices: ["deck", ""],
                changes: [.init(place: "/coins", old: "300", new: nil), .init(place: "", old: nil, new: "\"\\u2028\"")],
                more: 12)
        ]),
        .preview(PreviewReport(profile: "game", id: "p1", step: nil, changes: [], more: 0, movedOn: 0)),
        .preview(
            PreviewReport(
                profile: "game", id: "p1", step: 3, changes: [.init(place: "/a", old: "1", new: "2")], more: 4,
                movedOn: 5, backup: "b1", copy: CopyReport(device: "deck", day: "2026-11-21"),
                sums: [SumReport(place: "/coins", household: "100", here: "70", together: "100", apart: "170")])),
        .summary(SummaryReport(profile: "game", id: "p1", device: nil, lastPlayed: nil, fields: [])),
        .summary(
            SummaryReport(
                profile: "game",
                id: "p1",
                device: "deck",
                lastPlayed: 5,
                fields: [.init(place: "/coins", value: "1e2")]
            )
        ),
        .failure(.failed, "It failed."),
        .failure(.usage, "a\u{0}b"),
        .failure(.needsDecision, "Two profiles have that name."),
        .failure(.agentNotRunning, ""),
        .failure(.tooOld, "\u{2028}"),
    ]
}
