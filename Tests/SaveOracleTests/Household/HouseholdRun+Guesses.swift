import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// What a wrong guess of the state that a game had read explains, where it is said to be a guess.
extension HouseholdRun {
    /// A save of a round, and what its game had read.
    private struct Save {
        let device: Int
        let read: JSON?
        let save: JSON?
    }

    /// The devices whose game saved and which say that they guessed. That something was put aside is no excuse: only
    /// what was played beside a reset or a restore may be, and those rounds are not judged by this.
    private func guessing(_ round: HouseholdRound) -> [Int] {
        round.writers.filter { device in home.words(device).contains { $0.contains("guessed") } }
    }

    func isGuessSaid(_ round: HouseholdRound) -> Bool { !guessing(round).isEmpty }

    /// Whether all that is wrong with a file is what stands there if the games of the devices that say that they guessed
    /// had read other states than they had: for each of them one of its saves is told from one other state, or two where
    /// it says that it guessed more than once.
    func isOfWrongGuess(_ findings: [Finding], _ round: HouseholdRound, on device: Int) -> Bool {
        let guessing = Dictionary(
            uniqueKeysWithValues: Set(guessing(round)).map { device in
                (device, home.words(device).contains { $0.contains("before some of its last saves") } ? 2 : 1)
            })
        guard !guessing.isEmpty, let found = round.asRead(home.file(device), device) else { return false }
        let outdated = guessing.keys.filter { device in home.words(device).contains { $0.contains("was put aside") } }
        let saves = saves(of: round)
        /// The rest of the saves, on what the household holds after the former ones. Of each device so many more saves may
        /// be told from another state as `left` says.
        func explains(_ rest: ArraySlice<Save>, _ document: JSON?, _ told: [Save], _ left: [Int: Int]) -> Bool {
            guard let next = rest.first else {
                return findings.allSatisfy { finding in
                    home.rules.holdSame(document, found, at: finding.place)
                        || home.rules.showsDebt(document, found, at: finding.place)
                }
            }
            // Who plays on a stale memory is taken to have read the others where that is guessed.
            let apart = round.kind == .stale ? [] : told.filter { $0.device != next.device }
            func tell(from read: JSON?, _ left: [Int: Int], givesWay: Bool = false) -> Bool {
                let others = apart.map { (read: $0.read, save: $0.save) }
                let replay = Replay(rules: home.rules, apart: others, givesWay: givesWay)
                let now = Save(device: next.device, read: read, save: next.save)
                return explains(
                    rest.dropFirst(), replay.onto(document, read: read, save: next.save), told + [now], left)
            }
            if tell(from: next.read, left) { return true }
            guard let more = left[next.device], more > 0 else { return false }
            var others = left
            others[next.device] = more - 1
            let former = saves[..<rest.startIndex].map(\.save)
            return ([document] + former + states + home.shown(on: next.device)).contains { state in
                tell(from: state, others)
                    || outdated.contains(next.device) && tell(from: state, others, givesWay: true)
            }
        }
        return explains(saves[...], round.before[device], [], guessing)
    }

    /// The saves of a round, those of a device one after the other, and the devices by their last one.
    private func saves(of round: HouseholdRound) -> [Save] {
        round.writers.sorted { round.times[$0] < round.times[$1] }.flatMap { device in
            let former = round.between[device]
            let reads = [former.isEmpty ? round.bases[device] : round.before[device]] + former
            return zip(reads, former + [round.after[device]]).map { Save(device: device, read: $0, save: $1) }
        }
    }
}
