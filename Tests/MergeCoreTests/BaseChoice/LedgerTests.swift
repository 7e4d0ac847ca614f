import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Random play on two devices beside an independent ledger of what each game earned and spent.
///
/// One device's game holds its state in memory and reloads now and then, and which snapshot it had read is guessed; the
/// other reads the file before each save, and that is known.
struct LedgerTests {
    /// What there is to tell snapshots apart by.
    enum Kind: CaseIterable {
        /// A purse and nothing else.
        case purse
        /// Counters, best scores, unlocks and values that are overwritten; both devices may unlock the same.
        case mixed
        /// The same, and every save adds to a log that only grows.
        case log
        /// A purse, in sessions whose start is known; nothing is projected while one runs.
        case sessions
    }

    private static let rules = MergeCoreTests.rules([
        "/coins": .init(.counter), "/gems": .init(.counter), "/level": .init(.max), "/themes": .init(.union),
        "/log": .init(.union), "/friends": .init(.set),
    ])

    /// What happened in one run.
    private struct Tally {
        var choices = 0
        /// There was more than one snapshot to choose among.
        var open = 0
        /// A purse alone could not tell, and the player was asked.
        var asked = 0
        var undecided = 0
        var guesses = 0
        var wrong = 0
        var wrongThoughLikely = 0
        var wrongThoughCertain = 0
        var offLedger = 0
        var runs = 0

        static func += (a: inout Tally, b: Tally) {
            a.choices += b.choices
            a.open += b.open
            a.asked += b.asked
            a.undecided += b.undecided
            a.guesses += b.guesses
            a.wrong += b.wrong
            a.wrongThoughLikely += b.wrongThoughLikely
            a.wrongThoughCertain += b.wrongThoughCertain
            a.offLedger += b.offLedger
            a.runs += b.runs
        }
    }

    private struct Run {
        let kind: Kind
        var random: SeededRandom
        var devices: [Device]
        var game: RunningGame
        var ledger = 10_000
        var entries = 0
        var tally = Tally()
        /// Where a session's first save may have been read; 0 after that.
        var startedAfter = 0

        init(_ kind: Kind, seed: UInt64) {
            self.kind = kind
            random = SeededRandom(seed: seed)
            let only = #"{"coins":10000}"#
            let all = #"{"coins":10000,"gems":10,"level":1,"themes":[],"log":[],"friends":["x"],"name":"Ada"}"#
            let start = kind == .purse || kind == .sessions ? only : all
            devices = Device.household(2, LedgerTests.rules, sharing: start)
            game = RunningGame(reading: devices[0])
        }

        mutating func play(_ game: inout RunningGame) {
            let coins = random.chance(60) ? 1 + random.below(300) : -random.below(100)
            game.earn(coins)
            ledger += coins
            guard kind == .mixed || kind == .log else { return }
            entries += 1
            if kind == .log { game.add("entry \(entries)", to: "log") }
            switch random.below(6) {
            case 0: game.set("level", .number(JSONNumber((game.memory.int("level") ?? 0) + 1)))
            case 1: game.add(random.pick(["a", "b", "c", "d", "e"]), to: "themes")
            case 2: game.set("name", .string(JSONString(random.pick(["Ada", "Bob", "Cy", "Dee"]))))
            case 3: game.add(random.pick(["x", "y", "z"]), to: "friends")
            case 4: game.set("gems", .number(JSONNumber(random.below(50))))
            default: break
            }
        }

        mutating func step() {
            switch random.below(4) {
            case 0:
                var other = RunningGame(reading: devices[1])
                play(&other)
                devices[1].save(document(other.memory), on: devices[1].snapshots.last)
            case 1:
                devices[1].receive(devices[0])
                if kind == .sessions { devices[0].pull(devices[1]) } else { devices[0].receive(devices[1]) }
            case 2:
                if kind == .sessions {
                    // The session ends, what came in meanwhile is projected, and the next one begins.
                    devices[0].show()
                    startedAfter = devices[0].snapshots.count - 1
                } else if random.chance(50) {
                    return
                }
                game.reload(from: devices[0])
            default:
                var playing = game
                play(&playing)
                game = playing
                let known = game.known
                let snapshots = devices[0].snapshots
                let choice = game.save(to: &devices[0], .init(startedAfter: startedAfter))
                startedAfter = 0
                if choice.purse != nil { answer(choice, snapshots, known) } else { note(choice, snapshots, known) }
            }
        }

        /// The player says what was played, where that is one of the two readings.
        mutating func answer(_ choice: Guess, _ snapshots: [Device.Snapshot], _ known: [UInt8]) {
            tally.choices += 1
            tally.open += 1
            tally.asked += 1
            let isRead = snapshots[choice.base].document.bytes == known
            guard let purse = choice.purse, isRead || snapshots[purse.older].document.bytes == known else {
                tally.wrong += 1
                return
            }
            let amounts = choice.choice.openAmounts.map {
                (path: $0.path, rule: $0.rule, amount: isRead ? $0.ifRead : $0.ifUnread)
            }
            let context = devices[0].context(devices[0].snapshots[0].vector)
            _ = devices[0].state.settle(amounts, of: nil, context)
        }

        mutating func note(_ choice: Guess, _ snapshots: [Device.Snapshot], _ known: [UInt8]) {
            tally.choices += 1
            guard snapshots.count > 1 else { return }
            tally.open += 1
            if choice.isUndecided { tally.undecided += 1 }
            if choice.evidence.certainty == .guess { tally.guesses += 1 }
            guard snapshots[choice.base].document.bytes != known else { return }
            tally.wrong += 1
            if choice.evidence.certainty == .likely { tally.wrongThoughLikely += 1 }
            if choice.evidence.certainty == .certain { tally.wrongThoughCertain += 1 }
        }

        mutating func finish() -> Tally {
            for _ in 0..<60 { step() }
            settle(&devices)
            tally.runs = 1
            if devices.contains(where: { $0.value.int("coins") != ledger }) { tally.offLedger = 1 }
            return tally
        }
    }

    private func play(_ kind: Kind) -> Tally {
        var total = Tally()
        for seed in 0..<60 as Range<UInt64> {
            var run = Run(kind, seed: seed)
            let tally = run.finish()
            total += tally
            // Nothing but a wrong base moves a coin, and a base that is called certain is right.
            if tally.wrong == 0 { #expect(tally.offLedger == 0, "\(kind), seed \(seed): off the ledger by itself") }
            #expect(tally.wrongThoughCertain == 0, "\(kind), seed \(seed)")
        }
        print("\(kind): \(total)")
        return total
    }

    @Test(arguments: [Kind.log, .sessions]) func withEvidenceNoCoinIsEverLost(kind: Kind) {
        let total = play(kind)
        #expect(total.open > 100)
        #expect(total.wrong == 0)
        #expect(total.offLedger == 0)
        #expect(total.undecided == 0)
    }

    /// With a purse alone, amounts are all there is: what is lost is lost by a choice that says it is a guess.
    @Test func knownLimit_aPurseAloneIsGuessed() {
        let total = play(.purse)
        #expect(total.open > 100)
        #expect(total.wrong <= total.guesses + total.asked)
        #expect(total.wrongThoughLikely == 0)
    }

    /// Where other places speak too, few choices are wrong.
    @Test func aMixedSaveIsMostlyToldApart() {
        let total = play(.mixed)
        #expect(total.open > 100)
        #expect(total.wrong * 10 < total.open, "\(total)")
        #expect(total.undecided * 20 < total.open, "\(total)")
    }
}
