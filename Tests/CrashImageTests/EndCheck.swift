import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping

/// What must be true after a start, whatever was found.
struct EndCheck {
    private let scene: CrashScene
    private let household: Household
    private let stage: Stage
    private let visible: Visible
    private(set) var problems: [String] = []
    /// The other device, where its player joined two profiles.
    private var joining: CrashDevice?

    init(_ scene: CrashScene, _ household: Household, _ stage: Stage, _ visible: Visible) {
        (self.scene, self.household, self.stage, self.visible) = (scene, household, stage, visible)
    }

    mutating func run(_ device: inout CrashDevice) throws {
        try completeJoins(&device)
        if scene.start == .alone, device.engine.ids.isEmpty {
            // The crash came first. What it left of the save may be none; then there is nothing to adopt.
            guard visible.broken == nil, stage.files.bytes(at: Stage.path) != nil else { return }
            _ = try device.add(Stage.path, scene.kind, profile: CrashScene.profile)
            try device.settle()
        }
        guard let id = device.engine.profile(at: Stage.path), let profile = device.engine.profiles[id] else {
            problems.append("no profile is at the path")
            return
        }
        try checkNothingIsLeftLyingAbout(device)
        checkFile(profile)
        for id in device.engine.ids { try checkBackups(id, device) }
        try checkASecondStart(now: device.now)
        if !visible.isMixture { try checkTheOtherDevice(&device, id) }
    }

    /// A join of two profiles that was asked for here is whole or has not begun; then it is asked for again. Of a join on
    /// the other device the content comes with the profile that stays.
    private mutating func completeJoins(_ device: inout CrashDevice) throws {
        guard scene.start.isApart else { return }
        for profile in device.engine.profiles.values {
            guard let kept = profile.state.joinedInto, profile.state.joinedBy == profile.replica else { continue }
            if profile.file.path != nil {
                problems.append("profile \(profile.id) is joined into another one and has its file still")
            }
            if device.engine.profiles[kept]?.state.vector.covers(profile.state.vector) != true {
                problems.append("profile \(profile.id) is joined into another one that lacks what it held")
            }
        }
        guard visible.broken == nil, stage.files.bytes(at: Stage.path) != nil else { return }
        guard scene.start.isJoinedElsewhere else {
            let absent = scene.start.isReversed ? CrashScene.profile : CrashScene.second
            try device.engine.bind(absent, to: Stage.path, now: device.now)
            return try device.settle()
        }
        var other = try household.other(now: device.now)
        for id in device.engine.ids { try other.join(id, from: device) }
        try other.settle()
        for id in other.engine.ids { try device.join(id, from: other) }
        try device.settle()
        joining = other
    }

    private mutating func checkNothingIsLeftLyingAbout(_ device: CrashDevice) throws {
        let strays = stage.files.paths.filter { $0.contains("/.hearth-") }
        if !strays.isEmpty { problems.append("\(strays) stay") }
        if try !stage.record.notes(prefix: "displaced/").isEmpty { problems.append("notes of displaced files stay") }
        for id in device.engine.ids {
            if try stage.record.load(id)?.intent != nil { problems.append("an intent stays") }
            if let trouble = device.engine.profiles[id]?.trouble { problems.append("trouble: \(trouble)") }
        }
    }

    /// The file holds all that was seen, or is what the game left, and then the status says so.
    private mutating func checkFile(_ profile: KeptProfile) {
        let found = stage.files.bytes(at: Stage.path)
        let expected = expected(plays: visible.plays)
        if let broken = visible.broken {
            if found != broken { problems.append("the file was no save, and is another one now") }
            if case .bad = profile.file.status {
            } else {
                problems.append("the file is no save, and the status is \(profile.file.status)")
            }
        } else if !visible.isMixture, TallySave.shape(found) != expected {
            problems.append("the file is \(TallySave.text(found))")
        }
        if !visible.isMixture, let document = Projection.newDocument(of: profile.state)?.jsonBytes,
            TallySave.shape(document) != expected
        {
            problems.append("the record is \(TallySave.text(document))")
        }
        guard scene.start == .twoFiles else { return }
        let second = TallySave(scene.kind, plays: CrashScene.remote).bytes
        if TallySave.shape(stage.files.bytes(at: Household.secondPath)) != TallySave.shape(second) {
            problems.append("the other file is \(TallySave.text(stage.files.bytes(at: Household.secondPath)))")
        }
    }

    private func expected(plays: UInt32) -> [UInt8]? {
        switch scene.expects {
        case .plays: TallySave.shape(TallySave(scene.kind, plays: plays).bytes)
        case .record: visible.document
        }
    }

    private mutating func checkBackups(_ id: ProfileID, _ device: CrashDevice) throws {
        for backup in try device.engine.backups(id) where backup.condition == .good {
            guard case .document = device.engine.readBackup(id, backup.name) else {
                problems.append("\(backup.name) cannot be read")
                continue
            }
        }
    }

    private mutating func checkASecondStart(now: Moment) throws {
        var second = try CrashDevice(stage.files, stage.record, number: 1, now: now + 100_000)
        let (disk, record) = (stage.files.disk.fingerprint(), stage.record.copy)
        try second.start()
        if stage.files.disk.fingerprint() != disk { problems.append("a second start changes the disk") }
        if stage.record.copy != record { problems.append("a second start changes the record") }
    }

    /// Both devices come to the same.
    private mutating func checkTheOtherDevice(_ device: inout CrashDevice, _ id: ProfileID) throws {
        var other = try joining ?? household.other(now: device.now)
        for id in device.engine.ids { try other.join(id, from: device) }
        if scene.start == .alone { try other.engine.bind(id, to: Household.otherPath, now: other.now) }
        try other.settle()
        for id in other.engine.ids { try device.join(id, from: other) }
        try device.settle()
        let theirs = other.files.bytes(at: Household.otherPath)
        let ours = stage.files.bytes(at: Stage.path)
        let remote = scene.start == .alone ? 0 : CrashScene.remote
        if TallySave.shape(theirs) != expected(plays: visible.plays | remote) {
            problems.append("the other device has \(TallySave.text(theirs))")
        }
        if visible.broken == nil, TallySave.shape(ours) != TallySave.shape(theirs) {
            problems.append("with the other device it became \(TallySave.text(ours))")
        }
    }
}
