import HouseholdSimulation
import LosslessJSON

/// Games that read and write.
extension Stage {
    /// The text of a device's file; `nil` where there is none.
    func text(_ device: Int) -> [UInt8]? { devices[device].files.bytes(at: Self.path) }

    /// What a device's file holds; `nil` where it holds no JSON.
    func save(_ device: Int) -> ParsedSave? { text(device).flatMap { save($0) } }

    /// A game starts, reads its file, changes what it read and saves it.
    ///
    /// - Returns: The texts before and after, also where the disk did not take it; `nil` where the game did not get to
    ///   saving.
    @discardableResult
    func play(_ device: Int, _ change: ([UInt8]) throws -> [UInt8]) -> (read: [UInt8], written: [UInt8])? {
        guard !isOff(device) else { return nil }
        guard let read = text(device) else {
            timeline.add(at: now, [device], .note, "there is no save to play on")
            return nil
        }
        return save(device, reading: read, change)
    }

    /// A game that still runs changes what it holds in memory and saves that. Where none runs, it reads its file first.
    @discardableResult
    func overwrite(_ device: Int, _ change: ([UInt8]) throws -> [UInt8]) -> (read: [UInt8], written: [UInt8])? {
        guard !isOff(device) else { return nil }
        guard let held = memories[device] ?? text(device) else {
            timeline.add(at: now, [device], .note, "there is no save to go on from")
            return nil
        }
        return save(device, reading: held, change)
    }

    func move(_ device: Int, _ name: String, _ seed: UInt64) {
        guard let move = game.moves.first(where: { $0.name == name }) else {
            return report(.trouble, device, "there is no move \"\(name)\"; hand it over as one of the moves")
        }
        play(device) { text in
            var random = MoveRandom(seed: seed)
            return try move.play(text, &random)
        }
    }

    private func save(
        _ device: Int, reading read: [UInt8], _ change: ([UInt8]) throws -> [UInt8]
    ) -> (read: [UInt8], written: [UInt8])? {
        guard let written = changed(device, read, change) else { return nil }
        // A save that was planned before holds an older state than the one that is saved here. If it came after this one,
        // it would take back this play, on every device, and the play would be reported as lost.
        dropPlannedSave(device)
        guard canSave(device) else {
            let why = isReadOnly[device] ? "its disk can only be read" : "no space is left"
            timeline.add(at: now, [device], .note, "the game could not save: \(why)")
            return (read, written)
        }
        let (held, shownText) = (save(device), text(device))
        home.save(String(decoding: written, as: UTF8.self), to: Self.path, on: devices[device])
        memories[device] = written
        shown[device] = written
        if let before = save(read), let after = save(written) {
            round.plays.append(
                Round.Play(
                    device: device, read: before, shown: held, written: after, time: now,
                    earlier: contents[device].map(\.text)))
        }
        // A save that changes no byte is none to anybody but its game.
        if written != shownText { contents[device].append((written, isSave: true)) }
        checkInvariants(device, written)
        return (read, written)
    }

    /// What a game saves; `nil` where it cannot go on from what it read.
    func changed(_ device: Int, _ read: [UInt8], _ change: ([UInt8]) throws -> [UInt8]) -> [UInt8]? {
        do {
            return try change(read)
        } catch {
            // A game cannot go on from what is no save of it. Anything else is wrong in the scenario or in the game.
            if (try? game.whole(read)) == nil {
                timeline.add(at: now, [device], .note, "the game did not save: \(error)")
            } else {
                report(.trouble, device, "the game did not save: \(error)")
            }
            return nil
        }
    }

    /// Looks at every file, and at devices that lost their power meanwhile.
    func look() {
        for device in devices.indices {
            notePlannedSave(device)
            if !isDown[device], devices[device].files.power.isOff { loseUnsynced(device) }
            let text = text(device)
            guard text != shown[device] else { continue }
            let former = shown[device]
            shown[device] = text
            home.digestText(of: Self.path, on: devices[device])
            guard let text else {
                timeline.add(at: now, [device], .file, "there is no file any more")
                continue
            }
            contents[device].append((text, isSave: false))
            timeline.add(at: now, [device], .file, changes(from: former, to: text))
            checkInvariants(device, text)
        }
    }

    private func changes(from former: [UInt8]?, to text: [UInt8]) -> String {
        guard let former, let old = save(former) else { return "a first file" }
        guard let new = save(text) else { return "a file that is no JSON" }
        let edits = SaveChanges(from: old.value, to: new.value, game.rules).edits.map(\.description)
        return edits.isEmpty ? "the file is spelled anew" : "comes in: " + edits.joined(separator: ", ")
    }

    func checkInvariants(_ device: Int, _ text: [UInt8]) {
        for invariant in game.invariants where !isBroken(invariant.name) {
            do {
                if try invariant.holds(text) { continue }
                report(
                    HouseholdFinding(
                        .invariant, device: names[device], place: invariant.name,
                        found: String(decoding: text, as: UTF8.self), message: "\"\(invariant.name)\" does not hold"))
            } catch {
                report(.trouble, device, "\"\(invariant.name)\" cannot be asked, the save cannot be read: \(error)")
            }
        }
    }

    /// Whether an invariant was reported: once it is broken, every file after that breaks it, too.
    private func isBroken(_ name: String) -> Bool {
        findings.contains { $0.kind == .invariant && $0.place == name }
    }
}
