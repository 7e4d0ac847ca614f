import HouseholdAgent
import SyncProtocol
import Testing

@testable import LANDiscovery

@Suite("What is known about the instances on the network")
struct InstanceTableTests {
    private let wired = InstanceTable.Place(interface: 2)
    private let wireless = InstanceTable.Place(interface: 3)

    /// A table that has reported `peer` at 10.0.0.1:4000 with `v=1`.
    private func tableWithPeer() -> InstanceTable {
        var table = InstanceTable()
        _ = table.sighted("peer", at: wired)
        table.described("peer", at: wired, port: 4_000)
        table.described("peer", txt: ["v": "1"])
        table.appeared("10.0.0.1", of: "peer", at: wired)
        #expect(table.takeChanges() == [found("10.0.0.1")])
        return table
    }

    private func found(_ hosts: String..., txt: [String: String] = ["v": "1"]) -> DiscoveryEvent {
        .found(instance: "peer", addresses: hosts.map { PeerAddress(host: $0, port: 4_000) }, txt: txt)
    }

    @Test("Nothing is told before name, port, TXT and an address are known, and then once")
    func completeness() {
        var table = InstanceTable()
        guard case .new = table.sighted("peer", at: wired) else { Issue.record("not new"); return }
        #expect(table.takeChanges() == [])
        table.described("peer", at: wired, port: 4_000)
        table.appeared("10.0.0.1", of: "peer", at: wired)
        #expect(table.takeChanges() == [], "the TXT record is missing")
        table.described("peer", txt: ["v": "1"])
        #expect(table.takeChanges() == [found("10.0.0.1")])
        table.described("peer", txt: ["v": "1"])
        #expect(table.takeChanges() == [], "nothing changed")
    }

    @Test("A changed TXT record and a new address are told; IPv4 comes first")
    func changes() {
        var table = tableWithPeer()
        table.described("peer", txt: ["v": "2"])
        #expect(table.takeChanges() == [found("10.0.0.1", txt: ["v": "2"])])
        _ = table.sighted("peer", at: wireless)
        table.described("peer", at: wireless, port: 4_000)
        table.appeared("fe80::1%wlan0", of: "peer", at: wireless)
        table.appeared("fd00::1", of: "peer", at: wireless)
        table.appeared("192.168.0.9", of: "peer", at: wireless)
        let all = found("10.0.0.1", "192.168.0.9", "fd00::1", "fe80::1%wlan0", txt: ["v": "2"])
        #expect(table.takeChanges() == [all])
    }

    @Test("An address that goes is told after settling, unless the instance goes too")
    func fading() {
        var table = tableWithPeer()
        table.appeared("10.0.0.2", of: "peer", at: wired)
        #expect(table.takeChanges() == [found("10.0.0.1", "10.0.0.2")])
        table.disappeared("10.0.0.1", of: "peer", at: wired)
        #expect(table.takeChanges() == [])
        #expect(table.isUnsettled)
        table.settle()
        #expect(table.takeChanges() == [found("10.0.0.2")])
        #expect(!table.isUnsettled)
        table.disappeared("10.0.0.2", of: "peer", at: wired)
        #expect(table.vanished("peer", at: wired) == true)
        #expect(table.takeChanges() == [.lost(instance: "peer")])
        table.settle()
        #expect(table.takeChanges() == [])
    }

    @Test("An instance is lost when its last sighting at its last place goes")
    func sightings() {
        var table = tableWithPeer()
        guard case .known = table.sighted("peer", at: wired) else { Issue.record("not known"); return }
        _ = table.sighted("peer", at: wireless)
        #expect(table.vanished("peer", at: wired) == false, "one of two sightings is left")
        #expect(table.vanished("peer", at: wireless) == true)
        #expect(table.takeChanges() == [])
        #expect(table.vanished("peer", at: wired) == true)
        #expect(table.takeChanges() == [.lost(instance: "peer")])
        #expect(table.vanished("peer", at: wired) == true, "a second farewell does nothing")
        #expect(table.takeChanges() == [])
    }

    @Test("An instance that was never told is not told lost")
    func neverTold() {
        var table = InstanceTable()
        _ = table.sighted("peer", at: wired)
        #expect(table.vanished("peer", at: wired) == true)
        #expect(table.takeChanges() == [])
        #expect(table.count == 0)
    }

    @Test("This device's own names are never told")
    func own() {
        var table = tableWithPeer()
        table.addOwn("me")
        guard case .own = table.sighted("me", at: wired) else { Issue.record("not own"); return }
        table.described("me", at: wired, port: 1)
        table.described("me", txt: [:])
        table.appeared("10.0.0.7", of: "me", at: wired)
        #expect(table.takeChanges() == [])
    }

    @Test("After a new browse what nobody confirms is forgotten, and what stays is not told again")
    func sweeping() {
        var table = tableWithPeer()
        _ = table.sighted("other", at: wired)
        table.described("other", at: wired, port: 1)
        table.described("other", txt: [:])
        table.appeared("10.0.0.3", of: "other", at: wired)
        table.appeared("10.0.0.2", of: "peer", at: wired)
        #expect(table.takeChanges().count == 2)

        table.markStale()
        guard case .new = table.sighted("peer", at: wired) else { Issue.record("must be resolved again"); return }
        table.described("peer", at: wired, port: 4_000)
        table.appeared("10.0.0.1", of: "peer", at: wired)
        #expect(table.takeChanges() == [], "what was known still holds until the sweep")
        table.sweep()
        #expect(table.takeChanges() == [.lost(instance: "other"), found("10.0.0.1")])
        table.sweep()
        #expect(table.takeChanges() == [])
    }

    @Test("The limits hold, and each is noted once")
    func limits() {
        var few = InstanceTable.Limits()
        few.instances = 256
        var table = InstanceTable(limits: few)
        for number in 0..<300 { _ = table.sighted("instance \(number)", at: wired) }
        #expect(table.count == 256)
        guard case .refused = table.sighted("another", at: wired) else { Issue.record("not refused"); return }
        table.described("another", at: wired, port: 1)
        #expect(table.notes.count == 1)

        table.described("instance 0", at: wired, port: 1)
        table.described("instance 0", txt: [:])
        for number in 0..<100 { table.appeared("10.0.1.\(number)", of: "instance 0", at: wired) }
        guard case .found(_, let addresses, _)? = table.takeChanges().first else { Issue.record("no change"); return }
        #expect(addresses.count == 16)
        #expect(table.notes.count == 2)
    }

    // MARK: Forged instances

    private let household = TagReader(secret: [UInt8](repeating: 7, count: 32))

    /// The TXT strings of an instance of the household on port 4,000.
    private func memberText(_ name: String) -> [String: String] {
        let secret = [UInt8](repeating: 7, count: 32)
        let nonce = [UInt8](repeating: 1, count: 8)
        let tag = HouseholdTag(nonce: nonce, secret: secret, instance: name, port: 4_000, hour: 9)
        return ["v": "1", "tag": tag.text]
    }

    private func describe(_ name: String, _ txt: [String: String], in table: inout InstanceTable) {
        table.described(name, at: wired, port: 4_000)
        table.described(name, txt: txt)
        table.appeared("10.0.0.1", of: name, at: wired)
    }

    /// Of ten thousand forged instances as many are told as an agent can take, and the one of the household always,
    /// wherever it comes.
    @Test(arguments: [0, 5_000, 10_000])
    func forgedInstancesKeepNoMemberOut(position: Int) {
        var table = InstanceTable()
        table.read(by: household)
        var told: [DiscoveryEvent] = []
        for number in 0...10_000 {
            if number == position {
                _ = table.sighted("member", at: wired)
                describe("member", memberText("member"), in: &table)
            }
            _ = table.sighted("forged \(number)", at: wired)
            describe("forged \(number)", memberText("member"), in: &table)
            told += table.takeChanges()
        }
        let member = DiscoveryEvent.found(
            instance: "member", addresses: [PeerAddress(host: "10.0.0.1", port: 4_000)], txt: memberText("member"))
        #expect(told.count == 257 && told.contains(member))
        #expect(table.count == 10_002 && table.standing(of: "member") == .member)
        #expect(table.standing(of: "forged 1") == .stranger)
        // One that is told makes room for another one when it goes.
        _ = table.vanished("forged 0", at: wired)
        #expect(table.takeChanges() == [.lost(instance: "forged 0")])
        describe("forged 9999", [:], in: &table)
        #expect(table.takeChanges().count == 1)
    }

    /// Where even the names are too many, strangers go first.
    @Test func strangersMakeRoom() {
        var few = InstanceTable.Limits()
        few.instances = 3
        var table = InstanceTable(limits: few)
        table.read(by: household)
        for name in ["member", "stranger", "unknown"] { _ = table.sighted(name, at: wired) }
        describe("member", memberText("member"), in: &table)
        describe("stranger", ["v": "1"], in: &table)
        #expect(table.takeChanges().count == 2)
        guard case .new = table.sighted("another", at: wired) else { Issue.record("no room was made"); return }
        #expect(table.takeEvicted() == ["stranger"])
        #expect(table.takeChanges() == [.lost(instance: "stranger")])
        guard case .refused = table.sighted("one more", at: wired) else { Issue.record("not refused"); return }
        #expect(table.standing(of: "member") == .member && table.count == 3)
    }

    /// After a pairing the household has another secret.
    @Test func instancesAreJudgedAnewByAnotherSecret() {
        var table = InstanceTable()
        _ = table.sighted("member", at: wired)
        describe("member", memberText("member"), in: &table)
        #expect(table.standing(of: "member") == .stranger)
        table.read(by: household)
        #expect(table.standing(of: "member") == .member)
    }
}
