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
        troubles: ["The daemon is gone."],
        newcomers: ["tv is new in the household."]
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

    static func requests() throws -> [any AgentRequest] {
        [
            AddRequest(path: "/saves/player.json", name: "player", rules: nil),
            AddRequest(path: "/saves/\u{1F3AE} \"x\"\\.json", name: "", rules: try rules()),
            RestoreRequest(profile: "p1", path: "/elsewhere"),
            RestoreManyRequest(folder: "/saves"),
            RestoreManyRequest(profiles: ["p1", "\u{1F3AE} \"x\""], folder: "/saves/"),
            RemoveRequest(profile: "p1"),
            MoveRequest(profile: "p1", path: "/saves/other.json"),
            ForgetRequest(profile: "p1"),
            PairRequest(),
            JoinRequest(code: "K7QM-2XWD-9TRB-H4FC", address: nil),
            JoinRequest(code: "K7QM", address: PeerAddress(host: "fe80::1%eth0", port: 65_535)),
            JoinRequest(code: "K7QM", address: PeerAddress(host: "deck.local", port: 1)),
            UnpairRequest(device: "d1"),
            SyncRequest(profile: nil),
            SyncRequest(profile: "p1"),
            PauseRequest(profile: nil),
            PauseRequest(profile: "p1"),
            ResumeRequest(profile: nil),
            ResumeRequest(profile: "p1"),
            PlayRequest(profile: "p1", game: "universe \"rpg\"", since: nil),
            PlayRequest(profile: "p1", game: "", since: 1_763_683_200_123),
            PlayRequest(
                profile: "p1", game: "rpg", since: nil, mark: PlayMark(token: "0af9", client: 4_711, clientStart: 99)),
            EndPlayRequest(play: RequestID(rawValue: 7)),
            SubscribeRequest(path: "/saves/\u{1F3AE}.json", name: "rpg/player", game: "rpg", rules: .empty),
            SubscribeRequest(
                path: "/s", id: ProfileID(high: 1, low: 2), name: "", game: "g", rules: .empty, changesRules: true,
                onNameConflict: .apart, beganEmpty: true),
            PullRequest(subscription: RequestID(rawValue: 8), hurry: false),
            PullRequest(subscription: RequestID(rawValue: 8), hurry: true),
            AckRequest(subscription: RequestID(rawValue: 9)),
            StatusRequest(),
            FollowRequest(),
            PageRequest(),
            LogRequest(since: 1_763_683_200_123, limit: 1_000),
            LogRequest(subject: "deck", since: 0, limit: 1),
            LogRequest(since: 0, limit: 1, lines: true),
            RulesRequest(profile: "p1"),
            ChangeRulesRequest(profile: "p1", from: [], to: [RuleLine(place: "/a~1b", merge: "max")], dryRun: true),
            ChangeRulesRequest(
                profile: "p1", from: [RuleLine(place: "", merge: "latest", options: #"{"whole":true}"#)], to: []),
            RenameRequest(subject: "p1", to: "Universe \u{1F3AE}"),
            DevicesRequest(),
            DevicesRequest(seen: true),
            DoctorRequest(),
            ShowRequest(profile: "p1", pointer: nil),
            ShowRequest(profile: "p1", pointer: ""),
            ResetRequest(profile: "p1", scope: nil),
            ResetRequest(profile: "p1", scope: "progress"),
            ExplainRequest(profile: "p1", pointer: "/coins"),
            BackupsRequest(profile: "p1"),
            RestoreBackupRequest(profile: "p1", backup: "00001.hearth"),
            MigrateRequest(profile: "p1"),
            MigrateRequest(profile: "p1", to: "1.0", backup: "newest", dryRun: true),
            ConflictsRequest(profile: nil),
            ConflictsRequest(profile: "p1"),
            ResolveRequest(profile: "p1", pointer: "/ending", choice: 2),
            ResolveRequest(profile: "p1", pointer: "/ending", choice: 2, value: #""good""#),
            HistoryRequest(profile: "p1", pointer: nil, limit: 20),
            HistoryRequest(profile: "p1", pointer: "/items/[2]/count", limit: 1),
            UndoRequest(profile: "p1", step: nil, force: false),
            UndoRequest(profile: "p1", step: 12, force: true),
            AcceptRequest(profile: "p1", apart: false),
            KeepRequest(profile: "p1"),
            PreviewRequest(ResetRequest(profile: "p1", scope: "progress")),
            PreviewRequest(RestoreBackupRequest(profile: "p1", backup: "b")),
            PreviewRequest(UndoRequest(profile: "p1", step: nil, force: true)),
            PreviewRequest(AcceptRequest(profile: "p1", apart: true)),
            PreviewRequest(KeepRequest(profile: "p1")),
            PreviewRequest(RestoreRequest(profile: "p1", path: "/saves/x", apart: true)),
            SummaryRequest(profile: "p1"),
            ExportRequest(profile: "p1"),
            ExportDocumentRequest(profile: "p1"),
            ImportTransferRequest(path: "/home/import-1", to: nil, trusting: false, dryRun: true),
            ImportTransferRequest(path: "/home/import-1", to: "/saves/\u{1F3AE}.json", trusting: true, dryRun: false),
            ImportDocumentRequest(path: "/home/import-1", profile: "p1", dryRun: true),
            ImportDocumentRequest(data: [0x7B, 0x7D, 0xFF], profile: "p1", dryRun: true),
            ImportTransferRequest(data: [0x89, 0], trusting: true, dryRun: false),
            PinBackupRequest(profile: "p1", backup: "0000000001.backup", isPinned: true),
            PinBackupRequest(profile: "p1", backup: "0000000001.backup", isPinned: false),
        ]
    }

    static let messages: [any AgentMessage] = [
        ProfileAnswer(profile: profile, note: nil),
        ProfileAnswer(profile: relayed, note: "It was adopted before."),
        ProfileList(profiles: []),
        ProfileList(profiles: [profile, relayed]),
        PairingCodeMessage(code: "K7QM-2XWD-9TRB-H4FC", expires: 1_763_683_200_123),
        PairingCodeMessage(code: "", expires: .min),
        PairedDevice(device: device),
        RemovedDevice(device: otherDevice),
        ForgottenProfile(profile: profile),
        Renamed(former: "old", profile: profile, note: "write it there"),
        Renamed(former: "laptop", device: otherDevice),
        LogReport(entries: [], leftOut: false),
        LogReport(
            entries: [
                .init(
                    profile: "game", id: "p1",
                    step: HistoryReport(number: 2, time: 7, origin: "save", devices: ["deck"], changes: [], more: 1))
            ], leftOut: true,
            lines: [
                .init(time: 7, level: "warning", text: "a link ended", facts: [.init(name: "device", value: "deck")])
            ]),
        RulesReport(
            profile: "game", id: "p1",
            rules: [
                .init(
                    rule: RuleLine(place: "/best", merge: "max", options: #"{"as":"date"}"#), places: 1, finding: "odd")
            ], others: 2, scopes: ["run"], isWhole: false, hasText: true,
            moves: [.init(place: "/best", old: nil, new: "max"), .init(place: "/a", old: "latest", new: nil)],
            moreMoves: 3, changes: [.init(place: "/best", old: "1", new: nil)], more: 4),
        SyncReport(inStep: ["d1"], behind: ["d2", "d3"]),
        SyncReport(inStep: [], behind: []),
        SyncReport(
            inStep: [], behind: [], filesBehind: ["d2"], troubles: ["gone"], decisions: ["choose"], held: ["later"],
            paused: ["rpg"]),
        PlayReport(play: 7, inStep: ["d1"], behind: [], trouble: nil),
        PlayedReport(changed: 3, inStep: [], behind: ["d2"], trouble: "It is gone."),
        PlayedReport(changed: 1, inStep: ["d1"], behind: [], filesBehind: ["d2"], held: ["later"], trouble: nil),
        SubscriptionEvent.subscribed(
            report: SubscriptionReport(
                subscription: 7, number: 1, device: "deck", isPaused: false, trouble: nil, choices: 0, steps: [])),
        SubscriptionEvent.changed,
        SubscriptionEvent.status(
            report: SubscriptionReport(
                subscription: 7, number: 3, device: "deck", isPaused: true, lastSync: 9, trouble: nil, choices: 0,
                steps: [])),
        SubscriptionReport(
            subscription: 7, number: 2, device: "deck", profile: "p1", rulesTrouble: "older",
            offer: SummaryReport(profile: "game", id: "p2", device: nil, lastPlayed: nil, fields: []), isPaused: true,
            lastSync: 5, trouble: "full", choices: 2,
            steps: [HistoryReport(number: 1, time: 5, origin: "merge", devices: [], changes: [], more: 0)]),
        RestoreProgress(done: 3, of: 1_000),
        RestoredSaves(saves: []),
        RestoredSaves(saves: [
            RestoredSave(profile: "player", id: "p1", outcome: .restored, file: "/saves/\u{1F3AE}.json"),
            RestoredSave(profile: "other", id: "p2", outcome: .here, file: "/s"),
            RestoredSave(profile: "gone", id: nil, outcome: .failed, message: "no save is called gone"),
        ]),
        Done(),
        FollowReport(status: status, moved: ["p1"]),
        PageLink(url: "http://127.0.0.1:4001/#c0de", expires: 1_763_683_200_123),
        status,
        bareStatus,
        DeviceList(devices: []),
        DeviceList(devices: [device, otherDevice]),
        DoctorReport([.agent(4_000), .homeWorks("/home"), .roomEnough]),
        DoctorReport(withoutAgent: "the disk is full"),
        DocumentText(document: "{\"a\": 1.0,\n\t\"b\": \"\\ud800 \\\"x\\\"\", \"ü\": 1e400}"),
        DocumentText(document: "\u{FEFF}null"),
        ExplainReport(
            place: "/coins", rule: "counter", sentence: "480 = 300 + laptop earned 200 − deck spent 20",
            contributions: [
                .init(text: "earned 200", device: "laptop", time: nil, counts: true),
                .init(text: "wrote null", device: "", time: -1, counts: false),
            ]),
        BackupList(backups: []),
        BackupList(backups: [
            BackupReport(name: "b", time: 5, pools: "changes, daily", isPinned: true, size: 9, damage: nil),
            BackupReport(name: "c", time: -1, pools: "", isPinned: false, size: nil, damage: "torn"),
            BackupReport(
                name: "copy-2026-11-21-ab", time: 7, pools: "daily", isPinned: false, size: 9, damage: nil,
                device: "laptop"),
        ]),
        ExportedTransfer(export: ExportReport(profile: "game", id: "p1", note: nil), data: []),
        ExportedTransfer(export: ExportReport(profile: "", id: "p1", note: "late"), data: [0x89, 0, 0xFF, 10, 13]),
        ImportReport(
            profile: "game", id: "p1", file: nil, source: .unknownSigner, device: "deck", exported: 5, isNew: true,
            isDryRun: true,
            changes: [.init(place: "/coins", old: nil, new: "5"), .init(place: "", old: "1", new: nil)],
            more: 3, note: nil),
        ImportReport(
            profile: "game",
            id: "p1",
            file: "/saves/x",
            source: .document,
            device: nil,
            exported: nil,
            isNew: false,
            isDryRun: false, changes: [], more: 0, note: "joined"),
        ConflictList(conflicts: []),
        ConflictList(conflicts: [
            ConflictReport(
                profile: "game", id: "p1", place: "/ending",
                candidates: [.init(value: "\"good\"", device: "laptop", time: 5)]),
            ConflictReport(
                profile: "game", id: "p1", place: "/coins", candidates: [], information: "is −20"),
        ]),
        HistoryList(history: []),
        HistoryList(history: [
            HistoryReport(
                number: 12, time: -1, origin: "merge", devices: ["deck", ""],
                changes: [
                    .init(place: "/coins", old: "300", new: nil), .init(place: "", old: nil, new: "\"\\u2028\""),
                ],
                more: 12),
            HistoryReport(
                number: 13, time: 5, origin: "save", devices: ["deck"], changes: [], more: 1,
                lowered: ["/best from 90 to 80"], moreLowered: 2),
        ]),
        PreviewReport(profile: "game", id: "p1", step: nil, changes: [], more: 0, movedOn: 0),
        PreviewReport(
            profile: "game", id: "p1", step: 3, changes: [.init(place: "/a", old: "1", new: "2")], more: 4,
            movedOn: 5, backup: "b1", copy: CopyReport(device: "deck", day: "2026-11-21"),
            sums: [SumReport(place: "/coins", household: "100", here: "70", together: "100", apart: "170")],
            replaced: [.init(place: "/level", old: "50", new: "3")], moreReplaced: 2,
            rules: ["/coins: counter → latest"], isUnlike: true),
        PreviewReport(
            profile: "game", id: "p1", step: nil, changes: [], more: 0, movedOn: 0,
            keeps: KeptReport(question: .save, backups: ["b1", "b2"], staysApart: false)),
        PreviewReport(
            profile: "game", id: "p1", step: nil, changes: [], more: 0, movedOn: 0,
            keeps: KeptReport(question: nil, backups: [], staysApart: true, joins: "p2")),
        SummaryReport(profile: "game", id: "p1", device: nil, lastPlayed: nil, fields: []),
        SummaryReport(
            profile: "game",
            id: "p1",
            device: "deck",
            lastPlayed: 5,
            fields: [.init(place: "/coins", value: "1e2")]
        ),
    ]

    static let failures = [
        AgentFailure(.failed, "It failed."),
        AgentFailure(.usage, "a\u{0}b"),
        AgentFailure(.needsDecision, "Two profiles have that name."),
        AgentFailure(.agentNotRunning, ""),
        AgentFailure(.tooOld, "\u{2028}"),
    ]
}
