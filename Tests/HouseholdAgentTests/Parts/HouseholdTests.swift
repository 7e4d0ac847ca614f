import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import SyncProtocol

/// The devices that this device trusts, and where it met them, as the record keeps them.
@Suite struct HouseholdTests {
    private let me = SeededSigner(seed: 1)
    private let deck = SeededSigner(seed: 2)
    private let tv = SeededSigner(seed: 3)
    private let phone = SeededSigner(seed: 4)
    private let stranger = SeededSigner(seed: 5)
    private let id = HouseholdID(high: 1, low: 2)
    private let fresh = HouseholdID(high: 9, low: 9)
    private let secret = [UInt8](repeating: 5, count: 32)
    private let address = PeerAddress(host: "fe80::1%eth0", port: 7_000)

    private func household(_ notes: [String: [UInt8]] = [:]) throws -> Household {
        try Household(notes: notes, me: me.key, name: "laptop", fresh: fresh)
    }

    /// How another device sees the household after it paired with some.
    private func roster(
        of signer: SeededSigner, _ name: String, with others: (SeededSigner, String)...
    ) throws -> Roster {
        var roster = Roster(me: signer.key, name: name, household: id)
        for (other, name) in others { roster = try roster.adding(other.key, name: name, by: signer).roster }
        return roster
    }

    /// This device after it paired with the deck.
    private func paired(at address: PeerAddress? = nil) throws -> Household {
        var household = try household()
        let roster = try roster(of: me, "laptop", with: (deck, "deck"))
        let result = PairingResult(peer: deck.key, peerName: "deck", household: id, secret: secret, roster: roster)
        household.take(result, at: address)
        return household
    }

    /// The same after it paired with the TV as well.
    private func withTV() throws -> Household {
        var household = try paired()
        household.replace(try household.roster.adding(tv.key, name: "tv", by: me).roster)
        return household
    }

    /// What the record holds once the household's changes are stored.
    private func stored(_ household: Household) -> [String: [UInt8]] {
        var household = household
        return stored(household.takeUnstored())
    }

    private func stored(_ change: NoteChange, over former: [String: [UInt8]] = [:]) -> [String: [UInt8]] {
        change.changes.reduce(into: former) { $0[$1.key] = $1.value }
    }

    private func names(_ household: Household) -> [String] { household.roster.members.map(\.name).sorted() }

    // MARK: The record

    @Test func aDeviceWithoutNotesIsAlone() throws {
        let household = try household()
        #expect(household.roster.isAlone && household.roster.household == fresh && names(household) == ["laptop"])
        #expect(household.secret.isEmpty && household.addresses.isEmpty)
    }

    @Test func aHouseholdComesBackFromItsNotes() throws {
        let household = try paired(at: address)
        #expect(household.secret == secret && household.roster.household == id)
        let notes = stored(household)
        #expect(notes.keys.allSatisfy { Household.notes.name($0) != nil })
        let read = try self.household(notes)
        #expect(read.roster == household.roster && read.secret == secret)
        #expect(read.addresses == [deck.key.id: address])
    }

    /// What a member says of itself counts, and stays; a stranger's word does not, and no statement changes by it.
    @Test func aDeviceIsCalledWhatItSaysOfItself() throws {
        var household = try paired()
        var notes = stored(household.takeUnstored())
        let statements = household.roster.statements
        let isNew = household.greeted(deck.key, as: "Living room")
        let isNewAgain = household.greeted(deck.key, as: "Living room")
        let isStranger = household.greeted(stranger.key, as: "x")
        #expect(isNew && !isNewAgain && !isStranger)
        #expect(names(household) == ["Living room", "laptop"] && household.roster.statements == statements)
        notes = stored(household.takeUnstored(), over: notes)
        #expect(names(try self.household(notes)) == ["Living room", "laptop"])
        // Backups are shared with the name of the pairing: what a device calls itself gives it nothing.
        let sender = CopySender(shares: ["Living room"])
        #expect(!sender.names(deck.key.id, among: household.roster.members))
        #expect(CopySender(shares: ["deck"]).names(deck.key.id, among: household.roster.members))
        household.replace(try household.roster.adding(tv.key, name: "tv", by: me).roster)
        #expect(names(household) == ["Living room", "laptop", "tv"])
        // A name in the record that could not have come from a device is none.
        for (key, value) in notes where value == Array("Living room".utf8) { notes[key] = Array("a\u{1B}b".utf8) }
        #expect(names(try self.household(notes)) == ["deck", "laptop"])
    }

    @Test func thisDeviceHasAnotherName() throws {
        var household = try paired()
        _ = household.takeUnstored()
        household.rename(to: "Couch")
        #expect(names(household) == ["Couch", "deck"] && household.roster.name == "Couch")
        let change = household.takeUnstored()
        #expect(change == NoteChange(DeviceNameNote.key, Array("Couch".utf8)))
    }

    /// Only who dialled knows an address at which the other one can be dialled.
    @Test func whoWasDialledKnowsNoAddress() throws {
        let household = try paired(at: nil)
        #expect(household.addresses.isEmpty)
        #expect(try self.household(stored(household)).addresses.isEmpty)
    }

    @Test func theLastAddressIsStoredOnce() throws {
        var household = try paired(at: address)
        let notes = stored(household.takeUnstored())
        let again = household.connected(deck.key.id, at: address)
        var change = household.takeUnstored()
        #expect(!again && change.isEmpty, "it is stored")
        let elsewhere = PeerAddress(host: "deck.local", port: 1)
        let moved = household.connected(deck.key.id, at: elsewhere)
        change = household.takeUnstored()
        var after = stored(change, over: notes)
        #expect(moved && after.count == notes.count, "one note a device")
        let other = household.connected(tv.key.id, at: address)
        change = household.takeUnstored()
        after = stored(change, over: after)
        #expect(other && change.changes.count == 1)
        #expect(household.addresses == [deck.key.id: elsewhere, tv.key.id: address])
        #expect(try self.household(after).addresses == household.addresses)
    }

    /// An address is a help and no more: one that cannot be read is found anew.
    @Test func aDamagedAddressIsNone() throws {
        let notes = stored(try paired(at: address))
        let key = try #require(notes.keys.first { $0.contains(deck.key.id.hex) })
        for bytes in [[], Array("deck".utf8), [0xFF, 0xFE], Array("deck:0".utf8)] as [[UInt8]] {
            let read = try household(stored(NoteChange(key, bytes), over: notes))
            #expect(read.addresses.isEmpty && names(read) == ["deck", "laptop"])
        }
    }

    /// A device that made a household of its own instead would be alone all at once, and know nobody.
    @Test(arguments: [0, 1, 15, 17, 32]) func aDamagedIDIsSaid(_ size: Int) throws {
        var notes = stored(try paired())
        let key = Household.notes.key("id")
        #expect(notes[key] == id.bytes)
        notes[key] = [UInt8](repeating: 7, count: size)
        let damaged = notes
        let fault = #expect(throws: StorageFault.self) { try self.household(damaged) }
        let words = try #require(fault).message
        #expect(words.contains(key) && words.contains("restore it from a backup"), "\(words)")
    }

    /// Without its roster a device would trust nobody, and not even say so.
    @Test func aDamagedRosterIsSaid() throws {
        var household = try paired()
        let notes = stored(household.takeUnstored())
        household.replace(household.roster)
        let key = try #require(household.takeUnstored().changes.keys.first)
        let damaged = stored(NoteChange(key, [0xFF]), over: notes)
        let fault = #expect(throws: StorageFault.self) { try self.household(damaged) }
        #expect(fault?.reason == .record && fault?.message.contains("backup") == true, "\(fault?.message ?? "")")
    }

    // MARK: Who comes and goes

    /// The TV, which does not know the phone, removes the deck, which let the phone in.
    @Test func whoAMemberLetInIsIn_alsoOnceThatMemberHasLeft() throws {
        var household = try withTV()
        let theirs = try roster(of: deck, "deck", with: (me, "laptop"), (phone, "phone"))
        var change = household.take(theirs.statements, by: me)
        #expect(change?.joined.map(\.name) == ["phone"] && change?.left.isEmpty == true)
        change = household.take(theirs.statements, by: me)
        #expect(change == nil, "nothing is new")
        let others = try roster(of: tv, "tv", with: (me, "laptop"), (deck, "deck")).removing(deck.key, by: tv).roster
        change = household.take(others.statements, by: me)
        #expect(change?.left.map(\.name) == ["deck"] && change?.joined.isEmpty == true)
        #expect(names(household) == ["laptop", "phone", "tv"])
        let read = try self.household(stored(household))
        #expect(names(read) == names(household) && read.roster == household.roster)
    }

    /// The TV, which has not heard of it, says of the phone that it is a member, and removes the deck.
    @Test func whoAMemberRemovedIsOut_alsoOnceThatMemberHasLeft() throws {
        var household = try withTV()
        let theirs = try roster(of: deck, "deck", with: (me, "laptop"), (phone, "phone"))
        _ = household.take(theirs.statements, by: me)
        let change = household.take(try theirs.removing(phone.key, by: deck).roster.statements, by: me)
        #expect(change?.left.map(\.name) == ["phone"] && change?.joined.isEmpty == true)
        let others = try roster(of: tv, "tv", with: (me, "laptop"), (deck, "deck")).merging(theirs.statements).roster
            .vouching(by: tv).roster.removing(deck.key, by: tv).roster
        #expect(others.contains(phone.key))
        _ = household.take(others.statements, by: me)
        #expect(names(household) == ["laptop", "tv"] && household.roster.wasMember(phone.key))
    }

    /// Of a change the linked devices are told what is new, once: the statements that came, and this device's own of them.
    @Test func aChangeIsHandedOnOnce() throws {
        var household = try paired()
        var news = household.takeNews()
        #expect(all(news) == Set(household.roster.statements))
        news = household.takeNews()
        #expect(news == nil)
        let theirs = try roster(of: deck, "deck", with: (me, "laptop"), (phone, "phone"))
        let former = Set(household.roster.statements)
        for _ in 0..<2 { _ = household.take(theirs.statements, by: me) }
        news = household.takeNews()
        #expect(all(news) == Set(household.roster.statements).subtracting(former))
        #expect(news?.urgent.contains { $0.subject == phone.key && $0.issuer == deck.key } == true)
        #expect(news?.confirming.contains { $0.subject == phone.key && $0.issuer == me.key } == true)
        news = household.takeNews()
        #expect(news == nil)
        let more = try theirs.adding(tv.key, name: "tv", by: deck).roster
        _ = household.take(more.statements, by: me)
        _ = household.take(try more.removing(phone.key, by: deck).roster.statements, by: me)
        news = household.takeNews()
        #expect(Set(all(news).map(\.subject)) == [tv.key, phone.key], "what came twice before is no news")
        #expect(Set(news?.urgent.filter { $0.purpose == .removed }.map(\.issuer) ?? []) == [me.key, deck.key])
        // A third device's word of that removal confirms it.
        var again = try roster(of: tv, "tv", with: (me, "laptop"), (deck, "deck"))
        again = again.merging(household.roster.statements).roster.vouching(by: tv).roster
        _ = household.take(again.statements, by: me)
        news = household.takeNews()
        #expect(news?.urgent.allSatisfy { $0.purpose == .paired } == true)
        #expect(news?.confirming.contains { $0.subject == phone.key && $0.purpose == .removed } == true)
    }

    private func all(_ news: RosterNews?) -> Set<RosterStatement> {
        Set((news?.urgent ?? []) + (news?.confirming ?? []))
    }

    /// Where the secret alone is another one, no statement goes with it.
    @Test func anotherSecretIsHandedOnWithoutTheRoster() throws {
        var household = try paired()
        _ = household.takeNews()
        let renewed = HouseholdSecret([UInt8](repeating: 6, count: 32), serial: 1)
        household.take(renewed, from: deck.key.id)
        var news = household.takeNews()
        #expect(household.secret == renewed.bytes && news != nil && all(news).isEmpty)
        household.take(renewed, from: deck.key.id)
        news = household.takeNews()
        #expect(news == nil, "nothing is new")
        let theirs = try roster(of: deck, "deck", with: (me, "laptop"), (phone, "phone"))
        _ = household.take(theirs.statements, by: me)
        household.renewSecret([UInt8](repeating: 9, count: 32))
        news = household.takeNews()
        #expect(!all(news).isEmpty, "the roster is another one, too")
    }

    @Test func aStrangerLetsNobodyIn() throws {
        var household = try paired()
        let theirs = try roster(of: stranger, "x", with: (me, "laptop"), (tv, "tv"))
        let change = household.take(theirs.statements, by: me)
        #expect(change.map { $0.joined.isEmpty && $0.left.isEmpty } ?? true)
        #expect(names(household) == ["deck", "laptop"])
    }

    /// A pairing may bring another household: then its devices count and those of the former one do not.
    @Test func aPairingReplacesTheHousehold() throws {
        var household = try paired(at: address)
        let other = HouseholdID(high: 3, low: 4)
        let roster = try Roster(me: me.key, name: "laptop", household: other).adding(tv.key, name: "tv", by: me).roster
        let secret = [UInt8](repeating: 6, count: 32)
        household.take(
            PairingResult(peer: tv.key, peerName: "tv", household: other, secret: secret, roster: roster), at: nil)
        let read = try self.household(stored(household))
        #expect(names(read) == ["laptop", "tv"] && read.roster.household == other && read.secret == secret)
    }

    // MARK: Names

    @Test func devicesAreTellableApart() throws {
        var roster = try roster(of: me, "laptop", with: (deck, "deck"), (tv, "deck"))
        #expect(roster.name(of: me.key.id) == "laptop")
        let (one, two) = (roster.name(of: deck.key.id), roster.name(of: tv.key.id))
        #expect(one == "deck (\(deck.key.id.hex.prefix(8)))" && two == "deck (\(tv.key.id.hex.prefix(8)))")
        #expect(roster.name(of: stranger.key.id) == "\(stranger.key.id)")
        roster = try roster.removing(deck.key, by: me).roster
        #expect(roster.name(of: tv.key.id) == "deck", "no other member has that name")
        #expect(roster.name(of: deck.key.id) == one, "one that left is still called so")
    }
}
