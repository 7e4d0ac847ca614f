import SyncProtocol
import Testing

@testable import HouseholdAgent

/// The words of every finding, and what is found out about another machine from what is known of it.
@Suite struct FindingTests {
    private static let address = PeerAddress(host: "192.168.1.7", port: 4_000)

    /// Every finding, its kind, and how its sentence begins.
    private static let all: [(Finding, kind: String, beginning: String)] = [
        (.agent(4_000), "agent", "the agent runs"), (.noAgent, "agent", "no agent is running here"),
        (.otherAgent("It knows no doctor."), "version", "the agent that runs here cannot be asked: It knows no"),
        (.silentAgent("the agent (pid 7) runs, but does not answer"), "agent", "the agent (pid 7) runs, but does not"),
        (.homeWorks("/home"), "home", "files can be written in /home"),
        (.home("the disk is full; make room"), "home", "the disk is full"),
        (.record("the disk is full; make room"), "record", "the disk is full"),
        (.disk("cannot look for room; look at it"), "disk", "cannot look for room"),
        (.littleRoom(path: "/my saves", free: 5 << 20), "disk", "only 5 MB are free on the disk of /my saves"),
        (.roomEnough, "disk", "there is room"), (.searchIsOff, "discovery", "other machines are not looked for"),
        (.search("embedded", seesItself: true), "discovery", "other machines are looked for (embedded); this one has"),
        (.search("system", seesItself: nil), "discovery", "other machines are looked for (system)"),
        (.searchTrouble("no daemon; start it", isMulticast: false, command: "start"), "discovery", "no daemon"),
        (
            .searchTrouble("no multicast; check the firewall", isMulticast: true, command: nil), "multicast",
            "no multicast"
        ),
        (.removed("this device was removed; pair it"), "household", "this device was removed"),
        (.alone, "household", "this machine is in no household yet"),
        (.other("two names; join them"), "other", "two names"),
        (.connected("deck", at: address, version: 1, isSeen: true), "connected", "it is connected at 192.168.1.7:4000"),
        (.clock("deck", ahead: .seconds(-600)), "clock", "its clock is 10 min behind"),
        (.clock("deck", ahead: .seconds(90 * 86_400)), "clock", "its clock is 90 days ahead"),
        (.silent("deck", at: address), "silent", "it was connected at 192.168.1.7:4000"),
        (.unseen("deck", last: nil, isSearched: true), "unseen", "nothing announces it in this network"),
        (.unseen("deck", last: nil, isSearched: false), "unseen", "no address of it is known, and other machines"),
        (
            .unseen("deck", last: address, isSearched: true), "unseen",
            "another machine answers at 192.168.1.7:4000, where it was last, and nothing announces it in this network"
        ),
        (
            .unseen("deck", last: address, isSearched: false), "unseen",
            "another machine answers at 192.168.1.7:4000, where it was last, and other machines cannot be looked for"
        ),
        (.unreached("deck", at: address, .refused, isOutside: true), "refused", "nothing listens at"),
        (.unreached("deck", at: address, .noAnswer, isOutside: false), "noAnswer", "nothing answers at"),
        (.unreached("deck", at: address, .noAnswer, isOutside: true), "elsewhere", "nothing answers at"),
        (.unreached("deck", at: address, .unreachable, isOutside: false), "noAnswer", "192.168.1.7:4000 cannot be"),
        (.unreached("deck", at: address, .unreachable, isOutside: true), "elsewhere", "nothing answers at"),
        (.unreached("deck", at: address, .noNetwork, isOutside: true), "noNetwork", "no network of this machine"),
        (.unreached("deck", at: address, .noAddress, isOutside: false), "noNetwork", "no network of this machine"),
        (.unreached("deck", at: address, .otherProtocol, isOutside: false), "version", "at 192.168.1.7:4000 a Hearth"),
        (.failed("deck", at: address, "TLS failed"), "link", "it cannot be reached at 192.168.1.7:4000: TLS failed"),
        (.stranger("deck", at: address), "key", "at 192.168.1.7:4000 a machine answers that is not in"),
        (.turnedAway("deck", at: address, "it hung up."), "link", "it answers at 192.168.1.7:4000, but"),
        (
            .turnedAway("deck", at: address, ProtocolVersion.mismatch(peer: "deck", theirs: 2, ours: 1)), "version",
            "it answers at 192.168.1.7:4000, but"
        ),
        (.notStored("deck", .here), "link", "the link to it ended, because what it sends cannot be stored here"),
        (.notStored("deck", .there), "link", "it ended the link, because it cannot store what comes in"),
        (.decision("RPG", "a choice waits: hearth conflicts RPG"), "decision", "a choice waits"),
        (.paused("RPG", word: "RPG"), "paused", "its sync is paused here"),
        (.held("RPG", game: "rpg"), "held", "what came in is written when rpg ends"),
        (.file("RPG", "nothing is there; put it back"), "file", "nothing is there"),
        (.backup("RPG", "the disk is full; make room"), "backup", "no backup could be made: the disk is full"),
        (.behind("RPG", machines: ["deck"]), "behind", "deck is connected but lacks some of it"),
        (.behind("RPG", machines: ["deck", "pc"]), "behind", "deck, pc are connected but lack some of it"),
        (.said("RPG", count: 1), "said", "something was said of its last saves and is not read yet"),
        (.said("RPG", count: 2), "said", "2 things were said of its last saves and are not read yet"),
        (.rules("RPG", count: 1), "rules", "one of its rules does not do"),
        (.rules("RPG", count: 2), "rules", "2 of its rules do not do"),
        (.named(address, "nothing listens"), "peer", "at 192.168.1.7:4000, which was named when"),
        (.savesWork(0), "saves", "no save is kept yet"), (.savesWork(1), "saves", "nothing keeps the save from"),
        (.savesWork(3), "saves", "nothing keeps the 3 saves from"),
    ]

    @Test(arguments: all.indices) func everyFindingIsOneSentence(_ index: Int) {
        let (finding, kind, beginning) = Self.all[index]
        let report = finding.report
        #expect(report.kind == kind && report.sentence.hasPrefix(beginning), "\(report)")
        #expect(!report.sentence.contains("\n") && !report.sentence.hasSuffix("."))
        #expect(!report.ok || report.command == nil, "what is well needs no command")
        let hasRemedy = report.command != nil || report.sentence.contains { ";:".contains($0) }
        #expect(report.ok || hasRemedy)
    }

    @Test func aPathInACommandIsQuoted() {
        #expect(Finding.littleRoom(path: "/my saves", free: 0).report.command == "df -h '/my saves'")
        let link = PeerAddress(host: "fe80::1%eth0", port: 1)
        #expect(Finding.silent("deck", at: link).report.command == "ping -c 3 fe80::1%eth0")
    }

    // MARK: From facts to findings

    private static let key: [UInt8] = [1]
    private static let old = PeerAddress(host: "192.168.1.9", port: 4_000)

    private func facts(_ addresses: [DialPlan.Known]) -> MemberFacts {
        MemberFacts(name: "deck", key: Self.key, addresses: addresses)
    }

    private func failed(
        _ address: PeerAddress, _ fault: DialFault, isDiscovered: Bool = false
    ) -> DialPlan.Known {
        DialPlan.Known(address, isDiscovered: isDiscovered, .failed(fault.rawValue))
    }

    @Test(arguments: DialFault.allCases) func everyFailedDialHasItsFinding(_ fault: DialFault) {
        #expect(
            facts([failed(Self.address, fault)]).findings == [
                .unreached("deck", at: Self.address, fault, isOutside: false)
            ])
    }

    /// What is said of an address that the player named.
    @Test func everyEndOfADialHasItsWords() {
        let outcomes: [DialPlan.Outcome?] = [
            .failed(DialFault.refused.rawValue), .failed(DialFault.unreachable.rawValue),
            .failed(DialFault.noAddress.rawValue), .failed(DialFault.otherProtocol.rawValue),
            .failed("another program than Hearth answers there."), .stranger, .reached([1]), nil,
        ]
        #expect(
            outcomes.map(Finding.words) == [
                "nothing listens", "nothing answers", "nothing can be reached from this machine's network",
                "a Hearth answers that speaks no version that this one knows",
                "no link was made: another program than Hearth answers there",
                "a machine answers that is not in the household", nil, nil,
            ])
    }

    @Test func aDialThatFailsForAnotherReasonGivesIt() {
        let known = DialPlan.Known(Self.address, .failed("the peer reset the connection"))
        #expect(facts([known]).findings == [.failed("deck", at: Self.address, "the peer reset the connection")])
    }

    @Test func whoAnswersUnderAnotherKeyIsNoMember() {
        #expect(facts([DialPlan.Known(Self.address, .stranger)]).findings == [.stranger("deck", at: Self.address)])
    }

    @Test func whoHangsUpIsNamedWithItsReason() {
        var facts = facts([DialPlan.Known(Self.address, device: Self.key, .reached(Self.key))])
        facts.lastEnd = "it hung up"
        #expect(facts.findings == [.turnedAway("deck", at: Self.address, "it hung up")])
    }

    /// A disk that takes nothing is no reason to pair again. An address where nobody is any more says more than the end of
    /// a link that was before.
    @Test func whereADiskIsFull_thatIsNamed() {
        for (end, there) in [
            ("the record cannot be written", StorageEnd.here), ("It said: the record cannot be written", .there),
        ] {
            var facts = facts([DialPlan.Known(Self.address, device: Self.key, .reached(Self.key))])
            facts.lastEnd = end
            #expect(facts.findings == [.notStored("deck", there)])
            facts.addresses = []
            #expect(facts.findings == [.notStored("deck", there)], "it dials this machine, and no address is known")
            facts.addresses = [failed(Self.address, .refused)]
            #expect(facts.findings == [.unreached("deck", at: Self.address, .refused, isOutside: false)])
        }
    }

    /// Its last address is another member's by now: where it is nobody knows, and where it was is said.
    @Test func anAddressThatIsAnothersNowIsNamedAsThat() {
        var moved = facts([DialPlan.Known(Self.address, .reached([2]))])
        moved.formerAddress = Self.address
        #expect(moved.findings == [.unseen("deck", last: Self.address, isSearched: true)])
        #expect(facts([]).findings == [.unseen("deck", last: nil, isSearched: true)])
    }

    @Test func whereItAnnouncesItselfCountsMoreThanWhereItWas() {
        let facts = facts([
            failed(Self.old, .refused), failed(Self.address, .noAnswer, isDiscovered: true),
        ])
        #expect(facts.findings == [.unreached("deck", at: Self.address, .noAnswer, isOutside: false)])
    }

    @Test func whoAnswersSaysMoreThanWhoDoesNot() {
        let facts = facts([failed(Self.address, .noAnswer), failed(Self.old, .refused)])
        #expect(facts.findings == [.unreached("deck", at: Self.old, .refused, isOutside: false)])
    }

    @Test(arguments: [(300, false), (301, true), (-300, false), (-301, true)])
    func aClockMayDifferByFiveMinutes(_ seconds: Int, _ isOff: Bool) {
        var facts = facts([])
        facts.link = .answers(Self.address, version: 1, ahead: .seconds(seconds))
        #expect(facts.findings.count == (isOff ? 2 : 1))
    }

    @Test func anAddressInAnotherSubnetIsNamedSo() {
        var facts = facts([failed(Self.address, .noAnswer)])
        facts.subnets = [Subnet(address: 0xC0A8_0105, mask: 0xFFFF_FF00)]
        #expect(facts.findings == [.unreached("deck", at: Self.address, .noAnswer, isOutside: false)])
        facts.subnets = [Subnet(address: 0x0A00_0005, mask: 0xFF00_0000)]
        #expect(facts.findings == [.unreached("deck", at: Self.address, .noAnswer, isOutside: true)])
    }

    @Test(arguments: [
        ("10.1.2.3", false), ("11.1.2.3", true), ("deck.local", false), ("fe80::1%eth0", false), ("10.1.2", false),
        ("10.1.2.300", false), ("", false),
    ])
    func onlyAnIPv4AddressCanBeOutside(_ host: String, _ isOutside: Bool) {
        #expect(Subnet.isOutside(host, of: [Subnet(address: 0x0A00_0005, mask: 0xFF00_0000)]) == isOutside)
        #expect(!Subnet.isOutside(host, of: []), "nothing is known without networks")
    }
}
