import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Rounds in which something happens to a save's file beside its game.
extension HouseholdRun {
    mutating func playWithFiles(_ round: inout HouseholdRound) {
        let device = anyDevice()
        switch round.kind {
        case .deleted: home.delete(on: device)
        case .renamed: rename(device, &round)
        case .damaged: damage(device, &round)
        default: move(device, &round)
        }
    }

    /// A game renames its save to a name of its own, and writes the next one anew.
    private mutating func rename(_ device: Int, _ round: inout HouseholdRound) {
        guard let file = home.file(device) else { return }
        home.household.moveFile(from: home.paths[device], to: "/saves/player.bak", on: home.devices[device])
        story.append("round \(round.number): \(home.devices[device].name) renames its save")
        wait(0...30_000)
        save(home.game.play(file, &dice), from: file, on: device, &round)
    }

    /// The write of a save does not finish: the file is empty, ends too early, or goes on with zeros. The last good state
    /// comes back by itself, with what is this device's own and what another one played meanwhile.
    private mutating func damage(_ device: Int, _ round: inout HouseholdRound) {
        guard let saved = home.text(device) else { return }
        // Without its last bracket, whatever is behind that.
        let scalars = Array(saved.unicodeScalars.reversed().drop { $0.properties.isWhitespace }.reversed())
        let kept = dice.once(in: 4) ? 0 : dice.number(0...scalars.count - 1)
        let zeros = dice.once(in: 2) ? 0 : scalars.count - kept
        let text = String(String.UnicodeScalarView(scalars.prefix(kept))) + String(repeating: "\0", count: zeros)
        home.spoil(text, on: device)
        let name = home.devices[device].name
        story.append("round \(round.number): the save of \(name) ends after \(kept), \(zeros) zeros")
        if dice.once(in: 2) {
            wait(0...20_000)
            session(on: anyDevice(but: device), &round)
        }
        wait(45_000...90_000)
        tally["a write that did not finish", default: 0] += 1
    }

    /// The player moves the save to another folder, plays there, and says so then.
    private mutating func move(_ device: Int, _ round: inout HouseholdRound) {
        guard let file = home.file(device) else { return }
        let path = "/saves/\(round.number)/player.json"
        home.move(on: device, to: path)
        story.append("round \(round.number): \(home.devices[device].name) moves its save to \(path)")
        wait(0...30_000)
        if dice.once(in: 2) { save(home.game.play(file, &dice), from: file, on: device, &round) }
        act(MoveRequest(profile: "game", path: path), on: device, round)
        // What a purse holds while it is asked about is no save of the game.
        if dice.once(in: 2), home.question(device) != .purse, let file = home.file(device) {
            wait(0...2_000)
            save(home.game.play(file, &dice), from: file, on: device, &round)
        }
    }
}
