import HearthTesting
import HouseholdAgent
import SaveOracle

/// Rounds in which something happens to a save's file beside its game.
extension HouseholdRun {
    mutating func playWithFiles(_ round: inout HouseholdRound) {
        let device = anyDevice()
        switch round.kind {
        case .deleted: home.delete(on: device)
        case .renamed: rename(device, &round)
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
