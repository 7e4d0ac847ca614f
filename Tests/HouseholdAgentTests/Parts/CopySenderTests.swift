import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// What a device tells of its daily backups, and what it gives away of them.
@Suite struct CopySenderTests {
    /// A device with saves, without any link.
    private struct Source {
        let files = MemoryFiles()
        var engine: ProfileEngine<MemoryFiles, MemoryRecord>
        var sender: CopySender
        var paused: Set<ProfileID> = []
        var now: Moment = 1_000
        let link = ConnectionID(rawValue: 1)

        init(shares: [String] = ["deck"]) throws {
            engine = try ProfileEngine(files: files, store: MemoryRecord())
            sender = CopySender(shares: shares)
        }

        /// Adds a save, which has a daily backup.
        mutating func add(_ number: UInt64, _ text: String = #"{"coins":1}"#) throws -> ProfileID {
            let path = "/saves/\(number).json"
            files.saveByRename(Array(text.utf8), at: path)
            let ids = FreshIDs(profile: ProfileID(high: 1, low: number), replica: ReplicaID(high: 2, low: number))
            let id = try engine.add(file: path, name: "game \(number)", rules: .empty, ids: ids, now: now)
            try beginDay(21, id)
            return id
        }

        mutating func beginDay(_ day: Int, _ id: ProfileID) throws {
            let day = try #require(LocalDay(year: 2023, month: 11, day: day))
            #expect(try engine.dailyBackup(id, now: now, day: day))
        }

        /// What the only daily backup of a profile is listed with.
        func facts(_ id: ProfileID) throws -> CopyFacts {
            let source = try #require(try engine.copySources(id, known: []).last)
            return CopyFacts(day: source.day.number, size: source.fileSize, checksum: source.checksum)
        }

        /// The file of the newest backup.
        func file(_ id: ProfileID) throws -> [UInt8] {
            let backup = try #require(try files.backups(of: id).last)
            return try files.readStoredBackup(backup.name, of: id, from: 0, limit: .max)
        }

        mutating func tick(after milliseconds: Int64 = 0) -> Told {
            now = now + .milliseconds(milliseconds)
            let isNamed = sender.shares.contains("deck")
            return Told(sender.tick(engine, paused: paused, isNamed: { _ in isNamed }, now: now.monotonic))
        }

        /// Asks for a part, and gives what is told because of that.
        mutating func ask(_ id: ProfileID, _ checksum: [UInt8], from offset: Int = 0) -> Told {
            sender.asked(CopyQuestion(profile: id, checksum: checksum, offset: offset), on: link)
            return tick()
        }

        /// The other device keeps copies, and was told of everything.
        mutating func tellAll() {
            #expect(sender.peerKeeps(true, on: link, profiles: engine.ids).isEmpty)
            for _ in engine.ids { _ = tick(after: CopySender.pace.wholeMilliseconds) }
            #expect(sender.deadline == nil)
        }
    }

    /// What came of a call.
    private struct Told {
        var lists: [(link: ConnectionID, profile: ProfileID, facts: [CopyFacts])] = []
        var answers: [[UInt8]] = []
        var logs: [String] = []

        var isNothing: Bool { lists.isEmpty && answers.isEmpty && logs.isEmpty }
        var profiles: [ProfileID] { lists.map(\.profile) }

        init(_ effects: [CopySender.Effect]) {
            for effect in effects {
                switch effect {
                case .answer(_, let bytes): answers.append(bytes)
                case .list(let link, let profile, let facts): lists.append((link, profile, facts))
                case .log(let line): logs.append(line.message)
                }
            }
        }
    }

    // MARK: Listing

    @Test func whoKeepsCopiesIsToldOfOneProfileAtATime() throws {
        var source = try Source()
        let ids = try [3, 1, 2].map { try source.add($0) }.sorted()
        #expect(source.sender.peerKeeps(true, on: source.link, profiles: ids).isEmpty)
        let first = source.tick()
        #expect(try first.profiles == [ids[0]] && first.lists.first?.facts == [source.facts(ids[0])])
        #expect(first.lists.first?.link == source.link)
        #expect(source.sender.deadline == source.now.monotonic + .milliseconds(20))
        #expect(source.tick(after: 19).isNothing)
        #expect(source.tick(after: 1).profiles == [ids[1]])
        #expect(source.tick(after: 20).profiles == [ids[2]])
        #expect(source.sender.deadline == nil && source.tick(after: 1_000).isNothing)
        #expect(source.sender.lookedAt == ids)
    }

    @Test func whoKeepsNoCopiesIsToldNothing() throws {
        var source = try Source()
        let id = try source.add(1)
        #expect(source.sender.peerKeeps(false, on: source.link, profiles: [id]).isEmpty)
        source.sender.listAgain([id])
        #expect(source.sender.deadline == nil && source.tick().isNothing)
    }

    @Test func everyLinkIsTold_untilItIsClosed() throws {
        var source = try Source()
        let id = try source.add(1)
        let links = [2, 3].map { ConnectionID(rawValue: $0) }
        for link in links { _ = source.sender.peerKeeps(true, on: link, profiles: [id]) }
        #expect(source.tick().lists.map(\.link) == links)
        source.sender.listAgain([id])
        source.sender.closed(links[0])
        #expect(source.tick(after: 20).lists.map(\.link) == [links[1]])
        source.sender.closed(links[1])
        source.sender.listAgain([id])
        #expect(source.sender.deadline == nil)
    }

    @Test func aNewBackupIsListedWithTheOthers() throws {
        var source = try Source()
        let id = try source.add(1)
        source.tellAll()
        try source.beginDay(22, id)
        source.sender.listAgain([id])
        #expect(source.tick(after: 20).lists.map { $0.facts.map(\.day) } == [[20_231_121, 20_231_122]])
    }

    @Test func aDamagedBackupIsNotListed() throws {
        var source = try Source()
        let id = try source.add(1)
        source.files.damageBackup(try #require(try source.files.backups(of: id).last).name, of: id)
        _ = source.sender.peerKeeps(true, on: source.link, profiles: [id])
        #expect(source.tick().isNothing && source.sender.deadline == nil)
    }

    @Test func aDiskThatCannotBeReadIsSaid() throws {
        var source = try Source()
        let id = try source.add(1)
        _ = source.sender.peerKeeps(true, on: source.link, profiles: [id])
        source.files.power.cut()
        let told = source.tick()
        #expect(told.lists.isEmpty && told.logs == ["the daily backups cannot be listed for other devices"])
    }

    // MARK: Answering

    @Test func whatIsAskedIsAnsweredInPartsOf64KiB() throws {
        var source = try Source()
        let id = try source.add(1, "{\"text\":\"" + String(repeating: "x", count: 140_000) + "\"}")
        source.tellAll()
        let file = try source.file(id)
        var copy: [UInt8] = []
        var sizes: [Int] = []
        while copy.count < file.count, sizes.count < 10 {
            let part = try #require(source.ask(id, try source.facts(id).checksum, from: copy.count).answers.first)
            sizes.append(part.count)
            copy += part
        }
        #expect(copy == file && sizes == [65_536, 65_536, file.count - 131_072])
        #expect(source.sender.deadline == nil, "nothing is listed anew")
    }

    @Test func aQuestionIsAnsweredOnce() throws {
        var source = try Source()
        let id = try source.add(1)
        source.tellAll()
        let told = source.ask(id, try source.facts(id).checksum)
        #expect(try told.answers == [source.file(id)] && told.lists.isEmpty)
        #expect(source.tick(after: 1_000).isNothing)
    }

    @Test func beyondItsEndThereIsNothing() throws {
        var source = try Source()
        let id = try source.add(1)
        source.tellAll()
        let facts = try source.facts(id)
        for offset in [facts.size, facts.size + 1_000] {
            #expect(source.ask(id, facts.checksum, from: offset).answers == [[]])
        }
    }

    /// A backup that is noted anew is another file: the question for the former one is answered with nothing.
    @Test func whatIsGoneIsAnsweredWithNothing_andWhatIsThereIsListedAnew() throws {
        var source = try Source()
        let id = try source.add(1)
        source.tellAll()
        let former = try source.facts(id)
        try source.engine.pinBackup(id, try #require(try source.files.backups(of: id).last).name, true)
        let told = source.ask(id, former.checksum)
        let facts = try source.facts(id)
        #expect(told.answers == [[]] && facts.checksum != former.checksum)
        #expect(told.lists.map(\.facts) + source.tick(after: 20).lists.map(\.facts) == [[facts]])
    }

    @Test func whatNobodyHereKnowsIsNotKeptInMind() throws {
        var source = try Source()
        let id = try source.add(1)
        source.tellAll()
        for number in UInt64(1)...50 {
            let told = source.ask(ProfileID(high: 9, low: number), try source.facts(id).checksum)
            #expect(told.answers == [[]] && told.lists.isEmpty)
        }
        #expect(source.sender.lookedAt == [id] && source.sender.deadline == nil)
    }

    /// Unanswered, it could never ask again.
    @Test func whoKeepsCopiesNoMoreIsAnsweredWithNothing() throws {
        var source = try Source()
        let id = try source.add(1)
        source.tellAll()
        let question = CopyQuestion(profile: id, checksum: try source.facts(id).checksum, offset: 0)
        source.sender.asked(question, on: source.link)
        #expect(Told(source.sender.peerKeeps(false, on: source.link, profiles: [id])).answers == [[]])
        #expect(source.tick(after: 20).isNothing)
    }

    @Test func whatIsAskedOverALinkThatIsClosedIsNotAnswered() throws {
        var source = try Source()
        let id = try source.add(1)
        source.tellAll()
        let question = CopyQuestion(profile: id, checksum: try source.facts(id).checksum, offset: 0)
        source.sender.asked(question, on: source.link)
        source.sender.closed(source.link)
        #expect(source.tick(after: 20).isNothing)
    }

    // MARK: Who shares

    @Test func whoDoesNotShareListsNothing_andAnswersNothing() throws {
        var source = try Source(shares: [])
        let id = try source.add(1)
        _ = source.sender.peerKeeps(true, on: source.link, profiles: [id])
        source.sender.listAgain([id])
        #expect(source.sender.deadline == nil && source.tick().isNothing)
        // Even the very file's checksum opens nothing.
        let told = source.ask(id, try source.facts(id).checksum)
        #expect(told.answers == [[]] && told.lists.isEmpty && source.sender.lookedAt == [])
        #expect(source.tick(after: 1_000).isNothing)
    }

    @Test func whoIsToldToShareListsWhatThereIs_andNothingOnceToldToStop() throws {
        var source = try Source(shares: [])
        let id = try source.add(1)
        _ = source.sender.peerKeeps(true, on: source.link, profiles: [id])
        source.sender.share(["deck"], profiles: [id])
        #expect(source.tick().profiles == [id])
        source.sender.share(["deck"], profiles: [id])
        #expect(source.sender.deadline == nil, "it shared already")
        source.sender.listAgain([id])
        source.sender.share([], profiles: [id])
        #expect(source.sender.lookedAt == [] && source.sender.deadline == nil)
        #expect(source.tick(after: 20).isNothing)
        #expect(try source.ask(id, source.facts(id).checksum).answers == [[]])
    }

    /// A device that says that it keeps copies, and that nobody named, is told nothing.
    @Test func toADeviceThatIsNotNamedNothingIsListed_andNothingSent() throws {
        var source = try Source(shares: ["nas"])
        let id = try source.add(1)
        _ = source.sender.peerKeeps(true, on: source.link, profiles: [id])
        #expect(source.tick().isNothing)
        #expect(try source.ask(id, source.facts(id).checksum).answers == [[]])
        source.sender.listAgain([id])
        #expect(source.tick(after: 20).isNothing)
        // Named later, it is told at once.
        source.sender.share(["nas", "deck"], profiles: [id])
        #expect(source.tick(after: 20).profiles == [id])
    }

    /// A device is named by its id, or by a name; a name that two members have names nobody.
    @Test func aNameThatTwoHaveNamesNobody() {
        let members = [("deck", 1), ("nas", 2), ("nas", 3)].map { (name: String, seed: UInt64) in
            Roster.Member(key: SeededSigner(seed: seed).key, name: name)
        }
        func named(_ shares: [String]) -> [Int] {
            let sender = CopySender(shares: shares)
            return members.indices.filter { sender.names(members[$0].id, among: members) }
        }
        #expect(named(["deck"]) == [0])
        #expect(named(["nas"]) == [])
        #expect(named([members[2].id.description, "phone"]) == [2])
        #expect(named([]) == [])
    }

    @Test func ofAProfileThatIsPausedNothingIsListed_andNothingSent() throws {
        var source = try Source()
        let ids = try [1, 2].map { try source.add($0) }
        source.paused = [ids[0]]
        _ = source.sender.peerKeeps(true, on: source.link, profiles: ids)
        #expect(source.tick().isNothing)
        #expect(source.tick(after: 20).profiles == [ids[1]])
        let told = source.ask(ids[0], try source.facts(ids[0]).checksum)
        #expect(told.answers == [[]] && told.lists.isEmpty)
        #expect(source.tick(after: 20).isNothing && source.sender.deadline == nil)
        source.paused = []
        source.sender.listAgain([ids[0]])
        #expect(source.tick(after: 20).profiles == [ids[0]])
        #expect(try source.ask(ids[0], source.facts(ids[0]).checksum).answers == [source.file(ids[0])])
    }
}
