import HearthTesting
import SyncProtocol
import TestSupport
import Testing

@testable import HouseholdAgent

/// What a device publishes and whom it sees, without a network.
@Suite struct ServiceDiscoveryTests {
    private let secret = [UInt8](repeating: 7, count: 32)
    private let otherSecret = [UInt8](repeating: 8, count: 32)
    private let address = PeerAddress(host: "10.0.0.2", port: 7_000)

    /// The TXT strings of an instance.
    private func txt(_ secret: [UInt8]?, showsCode: Bool = false) -> [String: String] {
        var txt = ["v": "1"]
        if let secret { txt["tag"] = HouseholdTag(nonce: [1, 2, 3, 4, 5, 6, 7, 8], secret: secret).text }
        if showsCode { txt["pair"] = "1" }
        return txt
    }

    private func found(_ name: String, _ txt: [String: String], at addresses: [PeerAddress]? = nil) -> DiscoveryEvent {
        .found(instance: name, addresses: addresses ?? [address], txt: txt)
    }

    /// The effects as words, such as "dial deck 10.0.0.2:7000".
    private func words(_ effects: [ServiceDiscovery.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .publish: "publish"
            case .dial(let instance, let addresses): "dial \(instance) " + text(addresses)
            case .forget(let instance): "forget \(instance)"
            case .showsCode(let addresses): "code at " + text(addresses)
            case .log(let line): "log \(line.message)"
            }
        }
    }

    private func text(_ addresses: [PeerAddress]) -> String { addresses.map(\.description).joined(separator: " ") }

    // MARK: Seeing

    @Test func aDeviceOfTheHouseholdIsDialled() {
        var discovery = ServiceDiscovery()
        let effects = discovery.happened(found("deck", txt(secret)), secret: secret)
        #expect(words(effects) == ["dial deck 10.0.0.2:7000"])
    }

    @Test(arguments: [nil, "", "no tag", "0102030405060708.00000000000000000000000000000000"])
    func anUnknownDeviceIsForgotten(tag: String?) {
        var discovery = ServiceDiscovery()
        #expect(
            words(discovery.happened(found("deck", ["tag": tag].compactMapValues { $0 }), secret: secret)) == [
                "forget deck"
            ])
        #expect(words(discovery.happened(found("phone", txt(otherSecret)), secret: secret)) == ["forget phone"])
        #expect(discovery.members(secret: secret).isEmpty)
    }

    /// It has no secret yet; a tag that was made with an empty one must not match.
    @Test func aDeviceThatIsInNoHouseholdDialsNobody() {
        var discovery = ServiceDiscovery()
        #expect(words(discovery.happened(found("deck", txt([])), secret: [])) == ["forget deck"])
        #expect(discovery.members(secret: []).isEmpty)
    }

    @Test func aDeviceThatLeftTheHouseholdIsForgotten() {
        var discovery = ServiceDiscovery()
        _ = discovery.happened(found("deck", txt(secret)), secret: secret)
        #expect(words(discovery.happened(found("deck", txt(otherSecret)), secret: secret)) == ["forget deck"])
        #expect(discovery.members(secret: secret).isEmpty)
    }

    @Test func theInstanceOfThisDeviceIsIgnored() throws {
        var discovery = ServiceDiscovery()
        let own = try #require(publish(&discovery))
        #expect(discovery.happened(found(own.instance, txt(secret, showsCode: true)), secret: secret).isEmpty)
        #expect(discovery.members(secret: secret).isEmpty && discovery.addressesWithCode.isEmpty)
    }

    @Test func anInstanceThatIsLostIsForgotten() {
        var discovery = ServiceDiscovery()
        _ = discovery.happened(found("deck", txt(secret, showsCode: true)), secret: secret)
        #expect(words(discovery.happened(.lost(instance: "deck"), secret: secret)) == ["forget deck"])
        #expect(discovery.members(secret: secret).isEmpty && discovery.addressesWithCode.isEmpty)
    }

    /// After a pairing the secret is another one: who looked like an unknown device may be of the household.
    @Test func membersAreKnownByTheSecretThatCountsNow() {
        var discovery = ServiceDiscovery()
        for name in ["phone", "deck"] { _ = discovery.happened(found(name, txt(otherSecret)), secret: secret) }
        _ = discovery.happened(found("laptop", txt(secret)), secret: secret)
        #expect(
            words(discovery.members(secret: otherSecret)) == [
                "dial deck 10.0.0.2:7000", "dial phone 10.0.0.2:7000",
            ])
    }

    @Test func aDeviceThatShowsACodeIsNamed_untilItShowsNone() {
        var discovery = ServiceDiscovery()
        let other = PeerAddress(host: "10.0.0.3", port: 7_000)
        let effects = discovery.happened(found("deck", txt(nil, showsCode: true)), secret: [])
        #expect(words(effects) == ["forget deck", "code at 10.0.0.2:7000"])
        _ = discovery.happened(found("book", txt(secret, showsCode: true), at: [other]), secret: secret)
        #expect(discovery.addressesWithCode == [other, address])
        #expect(words(discovery.happened(found("deck", txt(nil)), secret: [])) == ["forget deck"])
        #expect(discovery.addressesWithCode == [other])
    }

    @Test func atMost256InstancesAreKept_andOneThatIsKnownMayStillChange() {
        var discovery = ServiceDiscovery()
        for number in 0..<256 { _ = discovery.happened(found("stranger \(number)", txt(nil)), secret: secret) }
        #expect(discovery.happened(found("deck", txt(secret)), secret: secret).isEmpty)
        #expect(discovery.members(secret: secret).isEmpty)
        let changed = discovery.happened(found("stranger 255", txt(secret)), secret: secret)
        #expect(words(changed) == ["dial stranger 255 10.0.0.2:7000"])
        _ = discovery.happened(.lost(instance: "stranger 0"), secret: secret)
        #expect(words(discovery.happened(found("deck", txt(secret)), secret: secret)) == ["dial deck 10.0.0.2:7000"])
    }

    // MARK: Publishing

    /// What is published; `nil` where nothing is.
    private func publish(
        _ discovery: inout ServiceDiscovery, port: UInt16 = 7_000, secret: [UInt8]? = nil, showsCode: Bool = false,
        seed: UInt64 = 1
    ) -> ServiceAnnouncement? {
        var random = SeededRandom(seed: seed)
        let effects = discovery.publish(
            port: port, secret: secret ?? self.secret, showsCode: showsCode, random: &random)
        guard case .publish(let announcement)? = effects.first else { return nil }
        return announcement
    }

    @Test func theAnnouncementIsPublishedOnce() {
        var discovery = ServiceDiscovery()
        #expect(publish(&discovery) != nil)
        #expect(publish(&discovery, seed: 2) == nil)
    }

    @Test func itIsPublishedAgainWherePortSecretOrCodeChange_underTheSameName() throws {
        var discovery = ServiceDiscovery()
        let first = try #require(publish(&discovery))
        #expect(first.port == 7_000 && first.txt["v"] == "1" && first.txt["pair"] == nil)
        let second = try #require(publish(&discovery, port: 7_001))
        #expect(second.port == 7_001 && second.instance == first.instance && second.txt == first.txt)
        let third = try #require(publish(&discovery, port: 7_001, showsCode: true))
        #expect(third.txt["pair"] == "1" && third.instance == first.instance)
        let fourth = try #require(publish(&discovery, port: 7_001, secret: otherSecret, showsCode: true))
        #expect(fourth.txt["tag"] != third.txt["tag"] && fourth.instance == first.instance)
        let last = try #require(publish(&discovery, port: 7_001, secret: otherSecret))
        #expect(last.txt["pair"] == nil)
        #expect(publish(&discovery, port: 7_001, secret: otherSecret) == nil)
    }

    @Test func theTagIsMadeWithTheSecret_andThereIsNoneWithoutAHousehold() throws {
        var discovery = ServiceDiscovery()
        func tag(_ secret: [UInt8]) throws -> HouseholdTag? {
            try #require(publish(&discovery, secret: secret)).txt["tag"].flatMap { HouseholdTag(text: $0) }
        }
        #expect(try tag([]) == nil)
        let first = try #require(try tag(secret))
        #expect(first.matches(secret: secret) && !first.matches(secret: otherSecret))
        let second = try #require(try tag(otherSecret))
        #expect(second.matches(secret: otherSecret) && second.nonce == first.nonce)
        #expect(try tag([]) == nil)
    }

    @Test func theNameIsAnotherOneAtEveryStart() throws {
        let names = try [UInt64(1), 2].map { seed in
            var discovery = ServiceDiscovery()
            return try #require(publish(&discovery, seed: seed)).instance
        }
        #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count == 16 })
    }

    // MARK: The backend

    @Test func troubleIsSaidOnce_andAgainAfterItWasOver() {
        var discovery = ServiceDiscovery()
        func happens(_ event: DiscoveryEvent) -> [String] { words(discovery.happened(event, secret: secret)) }
        let said = ["log devices cannot be found"]
        #expect(happens(.trouble("no network")) == said && discovery.trouble == "no network")
        #expect(happens(.trouble("no network")) == [])
        #expect(happens(.trouble("the port is taken")) == said && discovery.trouble == "the port is taken")
        #expect(happens(.running(backend: "embedded", interfaces: [])) == ["log looking for devices"])
        #expect(discovery.trouble == nil)
        #expect(happens(.trouble("the port is taken")) == said)
    }

    @Test func whetherThisDeviceSeesItselfIsKnown_untilTheBackendIsAnotherOrFails() {
        var discovery = ServiceDiscovery()
        #expect(discovery.seesItself == nil)
        for isSeen in [false, true] {
            _ = discovery.happened(.seesItself(isSeen), secret: secret)
            #expect(discovery.seesItself == isSeen)
        }
        _ = discovery.happened(.running(backend: "system", interfaces: []), secret: secret)
        #expect(discovery.seesItself == nil)
        _ = discovery.happened(.seesItself(true), secret: secret)
        _ = discovery.happened(.trouble("the daemon is gone"), secret: secret)
        #expect(discovery.seesItself == nil)
    }

    @Test func theStatusNamesTheBackendAndItsInterfaces() {
        var discovery = ServiceDiscovery()
        #expect(discovery.status == "off")
        _ = discovery.happened(.running(backend: "system", interfaces: []), secret: secret)
        #expect(discovery.status == "system")
        _ = discovery.happened(.running(backend: "embedded", interfaces: ["eth0", "wlan0"]), secret: secret)
        #expect(discovery.status == "embedded on eth0, wlan0")
    }
}
