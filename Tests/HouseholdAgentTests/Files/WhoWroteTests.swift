import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// How often it has to be guessed what a game had read, and how often the guess is wrong: random play on two devices
/// beside an independent ledger, with real agents in virtual time.
///
/// One device's game holds its state in memory and saves from it, reloads now and then and is started anew now and
/// then; the other device's game reads before each save, and that is known there. The same histories are played before
/// the agent is told anything, and with what it is told: opens of the file, and of one save in four who writes it, or
/// of every save where the game holds the file open.
@Suite struct WhoWroteTests {
    /// What there is to tell snapshots apart by.
    enum Save: CaseIterable { case purse, mixed }

    /// How the game writes its file.
    enum Manner: CaseIterable {
        /// It opens the file for each save.
        case opens
        /// It holds the file open, and writes into that.
        case holds
    }

    /// What the agent is told of.
    enum Seen: String, CaseIterable {
        case nothing = "nothing (before)"
        /// An old kernel, macOS.
        case writers = "writers"
        case opensAndWriters = "opens and writers"
        /// And the game reads each of its own saves again at once.
        case verifying = "the same, and the game reads its saves again"
        /// And something else reads every file that changes, whoever wrote it.
        case withIndexer = "the same, with an indexer"
        /// It does so at once, before the agent looks at the file.
        case promptIndexer = "the same, with one that is at once"
        case lateIndexer = "the same, with one that is late"
        /// It reads one of two, or of four.
        case halfIndexer = "the same, with one that reads half"
        case quarterIndexer = "the same, with one that reads a quarter"
        /// It is there in the second half of the time alone, or in the first.
        case newIndexer = "the same, with one that begins"
        case formerIndexer = "the same, with one that ends"

        var tellsOpens: Bool { self != .nothing && self != .writers }

        var indexer: Indexer? {
            switch self {
            case .nothing, .writers, .opensAndWriters, .verifying: nil
            case .withIndexer: Indexer(delay: 2_000)
            case .promptIndexer: Indexer(delay: 0)
            case .lateIndexer: Indexer(delay: 25_000)
            case .halfIndexer: Indexer(delay: 0, share: 50)
            case .quarterIndexer: Indexer(delay: 0, share: 25)
            case .newIndexer: Indexer(delay: 0, steps: 20..<40)
            case .formerIndexer: Indexer(delay: 0, steps: 0..<20)
            }
        }
    }

    /// Something that reads files after they changed.
    struct Indexer {
        /// How long after the change, in milliseconds.
        var delay: Int64
        /// So many of a hundred changes.
        var share = 100
        /// When it is there.
        var steps = 0..<40
        /// What the file held when it was looked at last, and the times at which it is to be read.
        var known: String?
        var due: [Int64] = []
        /// Of its own, so that the histories are the same whatever is told.
        var dice = SeededRandom(seed: 7)

        /// Whether a change is one that it reads.
        mutating func reads(in step: Int) -> Bool {
            steps.contains(step) && Int.random(in: 0..<100, using: &dice) < share
        }
    }

    private struct Tally: CustomStringConvertible {
        var saves = 0
        /// Something had come in since the game's last save.
        var open = 0
        var guessed = 0
        var asked = 0
        var wrong = 0
        /// Of these, without a word.
        var silent = 0
        /// Guessed, and right.
        var needless = 0
        /// What happened there.
        var stories: [String] = []

        var description: String {
            "\(saves) saves, \(open) open, \(guessed) guessed, \(asked) asked, \(wrong) wrong, \(silent) unsaid, "
                + "\(saves - wrong) right, \(needless) guessed and right"
        }

        static func += (a: inout Tally, b: Tally) {
            a.saves += b.saves
            a.open += b.open
            a.guessed += b.guessed
            a.asked += b.asked
            a.wrong += b.wrong
            a.silent += b.silent
            a.needless += b.needless
            a.stories += b.stories
        }
    }

    private struct Run {
        let path = "/saves/player.json"
        let (manner, seen): (Manner, Seen)
        let save: Save
        let home: Home
        let a: SimulatedDevice
        let b: SimulatedDevice
        let program = Program(executable: "/opt/rpg/rpg")!
        var game: SeenProcess
        var memory: State
        /// The file as the game read or wrote it last.
        var known = ""
        var handle: Int?
        var ledger: Int64 = 10_000
        var dice: SeededRandom
        /// Of its own, so that the histories are the same whatever is told.
        var spotter: SeededRandom
        var indexer: Indexer?
        var steps = 0
        var tally = Tally()
        var story = ""

        struct State {
            var coins: Int64 = 10_000
            var level = 1
            var themes: [String] = ["a"]
            var name = "Ada"

            func text(_ save: Save) -> String {
                guard save == .mixed else { return #"{"coins":\#(coins)}"# }
                let list = themes.map { "\"\($0)\"" }.joined(separator: ",")
                return #"{"coins":\#(coins),"level":\#(level),"themes":[\#(list)],"name":"\#(name)"}"#
            }

            init() {}

            init?(_ text: String) {
                guard let value = try? JSONValue(parsing: Array(text.utf8)),
                    case .number(let coins)? = value["coins"], let amount = Int64(coins.text)
                else { return nil }
                self.coins = amount
                if case .number(let number)? = value["level"] { level = Int(number.text) ?? 1 }
                if case .array(let list)? = value["themes"] {
                    themes = list.compactMap { if case .string(let theme) = $0 { theme.string } else { nil } }
                }
                if case .string(let text)? = value["name"] { name = text.string }
            }
        }

        init(_ save: Save, _ manner: Manner, _ seen: Seen, seed: UInt64) throws {
            (self.save, self.manner, self.seen) = (save, manner, seen)
            dice = SeededRandom(seed: seed)
            spotter = SeededRandom(seed: ~seed)
            home = Home(seed: seed, loadedProfiles: 16)
            (a, b) = (try home.device("laptop"), try home.device("deck"))
            indexer = seen.indexer
            indexer?.dice = SeededRandom(seed: seed ^ 0x5eed)
            a.programs.tellOpens(seen.tellsOpens)
            try home.pair(a, b)
            let rules = try home.rules([
                ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/themes", MergeRule(.union)),
            ])
            try home.add(path, State().text(save), rules: rules, on: a)
            try home.restore(path, on: b)
            home.household.configure(["game": "rpg"], on: b)
            home.household.run(milliseconds: 5_000)
            memory = State()
            game = home.household.launch(program, on: a)
            reload()
            home.household.run(milliseconds: 5_000)
        }

        /// Lets time go by, in which an indexer sees what changes.
        mutating func run(milliseconds: Int64) {
            guard var indexer else { return home.household.run(milliseconds: milliseconds) }
            for _ in 0..<(milliseconds / 500) {
                home.household.run(milliseconds: 500)
                let text = home.household.text(of: path, on: a)
                let now = home.household.now.milliseconds
                if text != indexer.known {
                    indexer.known = text
                    if indexer.reads(in: steps) { indexer.due.append(now + indexer.delay) }
                }
                guard indexer.due.contains(where: { $0 <= now }) else { continue }
                a.programs.noteOpen(of: path)
                indexer.due.removeAll { $0 <= now }
            }
            self.indexer = indexer
        }

        mutating func chance(of hundred: Int) -> Bool { Int.random(in: 0..<100, using: &dice) < hundred }

        mutating func reload() {
            let text = home.household.read(path, by: game, on: a) ?? ""
            guard let state = State(text) else { return }
            (memory, known) = (state, text)
            hold()
        }

        mutating func hold() {
            guard manner == .holds else { return }
            if let handle { a.files.release(handle) }
            handle = a.files.holdOpen(path)
        }

        mutating func play(_ state: inout State) {
            let isEarned = chance(of: 60)
            let coins = Int64.random(in: isEarned ? 1...300 : -99...0, using: &dice)
            state.coins += coins
            ledger += coins
            guard save == .mixed else { return }
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: state.level += 1
            case 1:
                let theme = ["b", "c", "d", "e", "f"][Int.random(in: 0..<5, using: &dice)]
                if !state.themes.contains(theme) { state.themes.append(theme) }
            case 2: state.name = ["Ada", "Bob", "Cy", "Dee"][Int.random(in: 0..<4, using: &dice)]
            default: break
            }
        }

        mutating func step() {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<4:
                run(milliseconds: 3_000)
                b.programs.set("rpg", since: home.household.now)
                run(milliseconds: 2_500)
                guard var other = home.household.text(of: path, on: b).flatMap({ State($0) }) else { return }
                play(&other)
                home.household.save(other.text(save), to: path, on: b)
                run(milliseconds: 1_000)
                b.programs.set("rpg", since: nil)
                run(milliseconds: 6_000)
            case 4:
                // It is started anew.
                a.programs.end(game)
                run(milliseconds: 5_000)
                game = home.household.launch(program, on: a)
                reload()
            case 5 where chance(of: 50): reload()
            case 5: break
            default: saveFromMemory()
            }
            run(milliseconds: 5_000)
        }

        mutating func saveFromMemory() {
            let before = home.household.text(of: path, on: a)
            var state = memory
            play(&state)
            memory = state
            let text = memory.text(save)
            guard text != known else { return }
            let isOpen = known != before
            write(text)
            run(milliseconds: 15_000)
            story = "the game knew \(known), the file held \(before ?? "nothing"), it saved \(text):"
            tally.saves += 1
            if isOpen { tally.open += 1 }
            let hadRead = known == before
            known = text
            judge(hadRead)
        }

        mutating func write(_ text: String) {
            guard seen != .nothing else {
                put(text)
                return
            }
            if manner == .holds || Int.random(in: 0..<4, using: &spotter) == 0 {
                home.household.tell(game, writes: path, on: a)
            }
            put(text)
        }

        mutating func put(_ text: String) {
            if manner == .opens { a.programs.noteReplacement(of: path, by: game) }
            if seen == .verifying { a.programs.noteOpen(of: path, by: game) }
            if indexer?.delay == 0 {
                indexer?.known = text
                if indexer?.reads(in: steps) == true { a.programs.noteOpen(of: path) }
            }
            guard manner == .holds, let handle else { return home.household.save(text, to: path, on: a) }
            let isThere = a.files.holdOpen(path) == handle
            a.files.write(Array(text.utf8), into: handle)
            if isThere { home.household.hear(.written, at: path, on: a) }
        }

        /// What is said of the save is true; then it is settled, and the ledger goes on from what the files hold.
        mutating func judge(_ hadRead: Bool) {
            let id = home.household.ask(StatusRequest(), on: a)
            guard let report = a.replies[id]?.last?.message(StatusReport.self), let profile = report.profiles.first
            else { return }
            let isAsked = profile.decisions?.isEmpty == false
            let isGuessed = profile.remark?.contains("guess") == true
            if isAsked {
                tally.asked += 1
                _ = home.household.ask(AcceptRequest(profile: "game", apart: !hadRead), on: a)
                run(milliseconds: 10_000)
            } else if isGuessed {
                tally.guessed += 1
            }
            _ = home.household.ask(KeepRequest(profile: "game"), on: a)
            run(milliseconds: 10_000)
            guard let file = home.household.text(of: path, on: a).flatMap({ State($0) }) else { return }
            guard file.coins != ledger else {
                if isGuessed { tally.needless += 1 }
                return
            }
            tally.wrong += 1
            if !isAsked, !isGuessed {
                tally.silent += 1
                tally.stories.append(story + " it came to \(file.coins), and was \(ledger)")
            }
            ledger = file.coins
        }

        mutating func finish() -> Tally {
            for _ in 0..<40 {
                step()
                steps += 1
            }
            return tally
        }
    }

    private static func play(_ save: Save, _ manner: Manner, _ seen: Seen, seeds: Range<UInt64>) throws -> Tally {
        var total = Tally()
        for seed in seeds {
            var run = try Run(save, manner, seen, seed: seed)
            total += run.finish()
        }
        return total
    }

    @Test(.timeLimit(.minutes(10))) func whatIsSeenSparesGuesses() async throws {
        var total: [Seen: Tally] = [:]
        print("who wrote it: saves, of which open: something had come in since the file was read or written last")
        try await withThrowingTaskGroup(of: (Save, Manner, Seen, Tally).self) { plays in
            for save in Save.allCases {
                for manner in Manner.allCases {
                    for seen in Seen.allCases {
                        plays.addTask { (save, manner, seen, try Self.play(save, manner, seen, seeds: 0..<8)) }
                    }
                }
            }
            for try await (save, manner, seen, tally) in plays {
                total[seen, default: Tally()] += tally
                print("  \(save), \(manner), told of \(seen.rawValue): \(tally)")
            }
        }
        for seen in Seen.allCases {
            print("  all, told of \(seen.rawValue): \(total[seen]!)")
        }
        let (before, after) = (total[.nothing]!, total[.opensAndWriters]!)
        #expect(before.guessed + before.asked > 100, "there was something to guess")
        #expect((after.guessed + after.asked) * 10 <= before.guessed + before.asked, "a tenth of the guesses")
        #expect(after.wrong * 10 <= before.wrong, "a tenth of the wrong ones")
        // Where less is seen it is no worse than before.
        for seen in [Seen.writers, .withIndexer, .promptIndexer] {
            #expect(total[seen]!.wrong <= before.wrong)
            #expect(total[seen]!.guessed + total[seen]!.asked <= before.guessed + before.asked)
        }
        // An indexer that opens everything is never believed, and what is believed of any other one is bounded. So it is with
        // a game that reads its own saves again.
        for seen in [Seen.withIndexer, .promptIndexer] { #expect(total[seen]!.silent <= total[.writers]!.silent) }
        for seen in Seen.allCases { #expect(total[seen]!.silent * 30 <= total[seen]!.saves, "\(seen)") }
        // Content alone calls a choice likely where two places speak for it, and is wrong once in a while without a word.
        #expect(after.silent == 0, "\(after.stories)")
    }
}
