import HouseholdSimulation
import LosslessJSON
import MergeCore

/// Chooses what happens next in a random run.
struct StepChoice: Sendable {
    private enum Kind {
        case play, overwrite, overwriteAmid, wait, partition, silence, heal, crash, crashInDiskStep, start, rollBack
        case fillDisk, freeDisk, clock, undo, reset, restore
        case silenceOneWay, readOnlyDisk, writableDisk, sleep, wake, loseRecord, joinAgain, copy
    }

    private let game: SimulatedGame
    private let invented: InventedPlay
    private let kinds: [(kind: Kind, weight: Int)]

    init(_ game: SimulatedGame, _ weights: StepWeights) {
        self.game = game
        invented = InventedPlay(game)
        kinds = [
            (.play, weights.play), (.overwrite, weights.overwrite),
            (.overwriteAmid, weights.overwriteAmid), (.wait, weights.wait),
            (.partition, weights.partition), (.silence, weights.silence), (.heal, weights.heal),
            (.crash, weights.crash), (.crashInDiskStep, weights.crashInDiskStep), (.start, weights.start),
            (.rollBack, weights.rollBack), (.fillDisk, weights.fillDisk), (.freeDisk, weights.freeDisk),
            (.clock, weights.clock), (.undo, weights.undo), (.reset, weights.reset), (.restore, weights.restore),
            (.silenceOneWay, weights.silenceOneWay), (.readOnlyDisk, weights.readOnlyDisk),
            (.writableDisk, weights.writableDisk), (.sleep, weights.sleep), (.wake, weights.wake),
            (.loseRecord, weights.loseRecord), (.joinAgain, weights.joinAgain), (.copy, weights.copy),
        ].filter { $0.1 > 0 }
    }

    /// Whether any kind of step has a weight.
    var hasSteps: Bool { !kinds.isEmpty }

    /// The next step; `nil` where the kind that was chosen cannot happen now.
    func next(on stage: Stage, _ random: inout SimulatedRandom) -> HouseholdStep? {
        guard !kinds.isEmpty else { return nil }
        var number = random.below(kinds.reduce(0) { $0 + $1.weight })
        let kind = kinds.first { entry in
            defer { number -= entry.weight }
            return number < entry.weight
        }!.kind
        let device = random.below(stage.names.count)
        return step(kind, device, stage, &random)
    }

    private func step(_ kind: Kind, _ device: Int, _ stage: Stage, _ random: inout SimulatedRandom) -> HouseholdStep? {
        let name = stage.names[device]
        let isOn = !stage.isDown[device] && !stage.isAsleep[device]
        switch kind {
        case .play: return isOn ? play(device, stage, &random) : nil
        case .overwrite: return isOn && stage.memories[device] != nil ? overwrite(device, stage, &random) : nil
        case .overwriteAmid: return isOn && stage.canSave(device) ? overwriteAmid(device, stage, &random) : nil
        case .wait:
            // Others notice after some time only that a device sleeps.
            let longest = stage.isAsleep.contains(true) ? 120_000 : 8_000
            return .wait(Int64(1 + random.below(random.chance(50) ? 500 : longest)))
        case .partition: return other(than: device, stage, &random).map { .partition(name, $0) }
        case .silence: return other(than: device, stage, &random).map { .silence(name, $0) }
        case .silenceOneWay: return other(than: device, stage, &random).map { .silencesOneWay(name, toward: $0) }
        case .heal: return stage.partings.isEmpty ? nil : .heal
        case .crash: return isOn ? .crashes(name, beforeDiskStep: nil) : nil
        case .crashInDiskStep: return isOn ? .crashes(name, beforeDiskStep: 1 + random.below(24)) : nil
        case .start: return stage.isDown[device] ? .starts(name) : nil
        case .loseRecord: return stage.mayLoseRecord(device) ? .losesRecord(name) : nil
        case .joinAgain:
            let lost = stage.names.indices.filter { stage.isRecordLost[$0] && !stage.isDown[$0] && !stage.isAsleep[$0] }
            return lost.isEmpty ? nil : .joinsAgain(stage.names[random.pick(lost)])
        case .copy:
            guard let other = other(than: device, stage, &random),
                stage.mayCopy(stage.index(other), onto: device)
            else { return nil }
            return .becomesCopy(name, of: other)
        case .sleep: return isOn ? .sleeps(name) : nil
        case .wake:
            let asleep = stage.names.indices.filter { stage.isAsleep[$0] }
            return asleep.isEmpty ? nil : .wakes(stage.names[random.pick(asleep)])
        case .rollBack: return .rollsBack(name)
        case .fillDisk: return stage.isFull[device] ? nil : .fillsDisk(name)
        case .freeDisk: return stage.isFull[device] ? .freesDisk(name) : nil
        case .readOnlyDisk: return stage.isReadOnly[device] ? nil : .makesDiskReadOnly(name)
        case .writableDisk: return stage.isReadOnly[device] ? .makesDiskWritable(name) : nil
        case .clock: return .setsClock(name, ahead: Int64(random.below(172_800_000) - 86_400_000))
        case .undo: return isOn ? .undoes(name) : nil
        case .reset:
            let scopes = game.rules.resets.map(\.name)
            return isOn ? .resets(name, scope: scopes.isEmpty ? nil : random.pick(scopes)) : nil
        case .restore: return isOn ? .restores(name, backup: random.below(4)) : nil
        }
    }

    private func play(_ device: Int, _ stage: Stage, _ random: inout SimulatedRandom) -> HouseholdStep? {
        let name = stage.names[device]
        // Where the developer wrote moves, only they are play: what is invented might do what the game never does.
        if !game.moves.isEmpty { return .moves(name, random.pick(game.moves).name, random.next()) }
        guard let text = stage.text(device), let edits = edits(of: text, stage, &random) else { return nil }
        return .plays(name, edits)
    }

    private func overwrite(_ device: Int, _ stage: Stage, _ random: inout SimulatedRandom) -> HouseholdStep? {
        let name = stage.names[device]
        guard let held = stage.memories[device] else { return nil }
        // What a move would do to a save that is out of date is not known; the game saves what it holds.
        guard game.moves.isEmpty, random.chance(60) else { return .overwrites(name, []) }
        return edits(of: held, stage, &random).map { .overwrites(name, $0) }
    }

    private func overwriteAmid(
        _ device: Int, _ stage: Stage, _ random: inout SimulatedRandom
    ) -> HouseholdStep? {
        let (name, step) = (stage.names[device], 1 + random.below(16))
        guard let held = stage.memories[device] ?? stage.text(device) else { return nil }
        guard game.moves.isEmpty else { return .overwritesAmid(name, [], diskStep: step) }
        return edits(of: held, stage, &random).map { .overwritesAmid(name, $0, diskStep: step) }
    }

    /// Changes that the game can save; `nil` where none was found.
    private func edits(of text: [UInt8], _ stage: Stage, _ random: inout SimulatedRandom) -> [SaveEdit]? {
        guard let whole = stage.whole(text) else { return nil }
        for _ in 0..<4 {
            let edits = invented.edits(of: whole, seed: stage.seed, &random)
            // A type may take fewer values than its JSON: an enumeration, say.
            if !edits.isEmpty, (try? stage.edited(text, edits)) != nil { return edits }
        }
        return nil
    }

    private func other(than device: Int, _ stage: Stage, _ random: inout SimulatedRandom) -> String? {
        guard stage.names.count > 1 else { return nil }
        let other = random.below(stage.names.count - 1)
        return stage.names[other < device ? other : other + 1]
    }
}
