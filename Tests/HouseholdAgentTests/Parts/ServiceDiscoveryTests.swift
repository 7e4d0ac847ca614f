import HouseholdSimulation
import MergeCore
import SyncProtocol
import TestSupport
import Testing

@testable import HouseholdAgent

/// What a device publishes and whom it sees, without a network.
@Suite struct ServiceDiscoveryTests {
    private let secret = [UInt8](repeating: 7, count: 32)
    private let otherSecret = [UInt8](repeating: 8, count: 32)
    private let address = PeerAddress(host: "10.0.0.2", port: 7_000)

    /// The hour that this device's clock shows.
    private let hour: UInt32 = 498_000

    /// An instance, with a tag of a household's secret, as it announces itself at an hour.
    private func found(
        _ name: String, _ secret: [UInt8]?, hour: UInt32? = nil, showsCode: Bool = false,
        at addresses: [PeerAddress]? = nil
    ) -> DiscoveryEvent {
        var txt = ["v": "1"]
        if let secret { txt["tag"] = tag(name, secret, hour: hour).text }
        if showsCode { txt["pair"] = "1" }
        return .found(instance: name, addresses: addresses ?? [address], txt: txt)
    }

    private func tag(_ name: String, _ secret: [UInt8], hour: UInt32? = nil, port: UInt16 = 7_000) -> HouseholdTag {
        HouseholdTag(
            nonce: [1, 2, 3, 4, 5, 6, 7, 8], secret: secret, instance: name, port: port, hour: hour ?? self.hour)
    }

    private func happens(
        _ discovery: inout ServiceDiscovery, _ event: DiscoveryEvent, secret: [UInt8]? = nil, former: [[UInt8]] = []
    ) -> [String] {
        let household = TagReader(secret: secret ?? self.secret, former: former)
        return words(discovery.happened(event, household: household, hour: hour))
    }

    private func members(_ discovery: inout ServiceDiscovery, secret: [UInt8]? = nil) -> [String] {
        words(discovery.members(household: TagReader(secret: secret ?? self.secret), hour: hour))
    }

    /// The effects as words, such as "dial deck 10.0.0.2:7000".
    private func words(_ effects: [ServiceDiscovery.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .publish: "publish"
            case .dial(let instance, let addresses, let isSure):
                "\(isSure ? "dial" : "try") \(instance) " + text(addresses)
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
        #expect(happens(&discovery, found("deck", secret)) == ["dial deck 10.0.0.2:7000"])
    }

    @Test(arguments: [nil, "", "no tag", "0102030405060708.00079950.00000000000000000000000000000000"])
    func anUnknownDeviceIsForgotten(tag: String?) {
        var discovery = ServiceDiscovery()
        let deck = DiscoveryEvent.found(
            instance: "deck", addresses: [address], txt: ["tag": tag].compactMapValues { $0 })
        #expect(happens(&discovery, deck) == ["forget deck"])
        #expect(happens(&discovery, found("phone", otherSecret)) == ["forget phone"])
        #expect(members(&discovery).isEmpty)
    }

    /// Who has seen a tag can repeat it, and then only with the name and the port that it was made for.
    @Test func aTagCountsForItsOwnAnnouncementAlone() {
        var discovery = ServiceDiscovery()
        let taken = tag("deck", secret).text
        let named = DiscoveryEvent.found(instance: "desk", addresses: [address], txt: ["tag": taken])
        #expect(happens(&discovery, named) == ["forget desk"])
        let elsewhere = [PeerAddress(host: "10.0.0.2", port: 22)]
        let moved = DiscoveryEvent.found(instance: "deck", addresses: elsewhere, txt: ["tag": taken])
        #expect(happens(&discovery, moved) == ["forget deck"])
        let own = DiscoveryEvent.found(instance: "deck", addresses: [address], txt: ["tag": taken])
        #expect(happens(&discovery, own) == ["dial deck 10.0.0.2:7000"])
    }

    /// An old tag may be a repeated one, so nothing is hurried for it. But it may also be that of a device whose clock
    /// says 1970, or this device's clock may be the wrong one: it is dialled all the same.
    @Test(arguments: [UInt32(0), 498_000 - 27, 498_000 + 27, .max])
    func aDeviceWithAnotherDateIsTried(hour: UInt32) {
        var discovery = ServiceDiscovery()
        #expect(happens(&discovery, found("deck", secret, hour: hour)) == ["try deck 10.0.0.2:7000"])
    }

    @Test(arguments: [498_000 - 26, 498_000 + 26] as [UInt32])
    func aTagIsOfTodayForADay_eitherWay(hour: UInt32) {
        var discovery = ServiceDiscovery()
        #expect(happens(&discovery, found("deck", secret, hour: hour)) == ["dial deck 10.0.0.2:7000"])
    }

    /// A device that was away when the secret was renewed announces itself with the former one.
    @Test func aDeviceWithAFormerSecretIsTried() {
        var discovery = ServiceDiscovery()
        let deck = found("deck", otherSecret)
        #expect(happens(&discovery, deck, former: [otherSecret]) == ["try deck 10.0.0.2:7000"])
        #expect(happens(&discovery, deck) == ["forget deck"])
    }

    /// It has no secret yet; a tag that was made with an empty one must not match.
    @Test func aDeviceThatIsInNoHouseholdDialsNobody() {
        var discovery = ServiceDiscovery()
        #expect(happens(&discovery, found("deck", []), secret: []) == ["forget deck"])
        #expect(members(&discovery, secret: []).isEmpty)
    }

    @Test func aDeviceThatLeftTheHouseholdIsForgotten() {
        var discovery = ServiceDiscovery()
        _ = happens(&discovery, found("deck", secret))
        #expect(happens(&discovery, found("deck", otherSecret)) == ["forget deck"])
        #expect(members(&discovery).isEmpty)
    }

    @Test func theInstanceOfThisDeviceIsIgnored() throws {
        var discovery = ServiceDiscovery()
        let own = try #require(publish(&discovery))
        #expect(happens(&discovery, found(own.instance, secret, showsCode: true)).isEmpty)
        #expect(members(&discovery).isEmpty && discovery.addressesWithCode.isEmpty)
    }

    @Test func anInstanceThatIsLostIsForgotten() {
        var discovery = ServiceDiscovery()
        _ = happens(&discovery, found("deck", secret, showsCode: true))
        #expect(happens(&discovery, .lost(instance: "deck")) == ["forget deck"])
        #expect(members(&discovery).isEmpty && discovery.addressesWithCode.isEmpty)
    }

    /// After a pairing the secret is another one: who looked like an unknown device may be of the household.
    @Test func membersAreKnownByTheSecretThatCountsNow() {
        var discovery = ServiceDiscovery()
        for name in ["phone", "deck"] { _ = happens(&discovery, found(name, otherSecret)) }
        _ = happens(&discovery, found("laptop", secret))
        #expect(
            members(&discovery, secret: otherSecret) == ["dial deck 10.0.0.2:7000", "dial phone 10.0.0.2:7000"])
    }

    @Test func aDeviceThatShowsACodeIsNamed_untilItShowsNone() {
        var discovery = ServiceDiscovery()
        let other = PeerAddress(host: "10.0.0.3", port: 7_000)
        let effects = happens(&discovery, found("deck", nil, showsCode: true), secret: [])
        #expect(effects == ["forget deck", "code at 10.0.0.2:7000"])
        _ = happens(&discovery, found("book", secret, showsCode: true, at: [other]))
        #expect(discovery.addressesWithCode == [other, address])
        #expect(happens(&discovery, found("deck", nil), secret: []) == ["forget deck"])
        #expect(discovery.addressesWithCode == [other])
    }

    // MARK: Forged announcements

    /// Ten thousand forged announcements of every kind keep 256 places at most, and keep no device of the household out:
    /// whether it is announced before, among or after them.
    @Test(arguments: [0, 5_000, 10_000])
    func forgedAnnouncementsKeepNoMemberOut(position: Int) {
        var discovery = ServiceDiscovery()
        for number in 0...10_000 {
            if number == position {
                #expect(happens(&discovery, found("deck", secret)).last == "dial deck 10.0.0.2:7000")
            }
            let forged = found("forged \(number)", number % 3 == 0 ? nil : otherSecret, showsCode: number % 3 == 1)
            let effects = happens(&discovery, forged)
            #expect(!effects.contains("forget deck"))
            #expect(!effects.contains { $0.hasPrefix("dial") || $0.hasPrefix("try") }, "a forged tag is dialled")
        }
        #expect(members(&discovery) == ["dial deck 10.0.0.2:7000"])
        #expect(discovery.addressesWithCode.count < SeenInstances.limit)
    }

    /// Even who repeats announcements of many days keeps no device out that announces itself today.
    @Test func repeatedAnnouncementsKeepNoMemberOut() {
        var discovery = ServiceDiscovery()
        for number in 0..<1_000 { _ = happens(&discovery, found("old \(number)", secret, hour: UInt32(number))) }
        let effects = happens(&discovery, found("deck", secret))
        #expect(effects == ["forget old 0", "dial deck 10.0.0.2:7000"])
        #expect(members(&discovery).count == SeenInstances.limit)
    }

    @Test func aPlaceThatIsFreeIsGivenAway() {
        var discovery = ServiceDiscovery()
        for number in 0..<256 { _ = happens(&discovery, found("old \(number)", secret, hour: 0)) }
        #expect(happens(&discovery, found("another", secret, hour: 0)) == ["forget another"])
        _ = happens(&discovery, .lost(instance: "old 0"))
        #expect(happens(&discovery, found("another", secret, hour: 0)) == ["try another 10.0.0.2:7000"])
    }

    // MARK: Publishing

    /// What is published; `nil` where nothing is.
    ///
    /// - Parameter minute: The time, in minutes after the beginning of ``hour``.
    private func publish(
        _ discovery: inout ServiceDiscovery, port: UInt16 = 7_000, secret: [UInt8]? = nil, showsCode: Bool = false,
        minute: Int64 = 0, seed: UInt64 = 1
    ) -> ServiceAnnouncement? {
        var random = SeededRandom(seed: seed)
        let wall = WallTime(milliseconds: Int64(hour) * 3_600_000 + minute * 60_000)
        let now = Moment(monotonic: MonotonicTime(milliseconds: minute * 60_000), wall: wall)
        let effects = discovery.publish(
            port: port, household: TagReader(secret: secret ?? self.secret), showsCode: showsCode, now: now,
            random: &random)
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
        #expect(second.port == 7_001 && second.instance == first.instance)
        #expect(second.txt["tag"] != first.txt["tag"], "a tag is bound to the port")
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
        func matches(_ announcement: ServiceAnnouncement, _ secret: [UInt8]) -> Bool {
            TagReader(secret: secret).knows(announcement.instance, ports: [announcement.port], txt: announcement.txt)
        }
        let untagged = try #require(publish(&discovery, secret: []))
        #expect(untagged.txt["tag"] == nil && discovery.deadline == nil)
        let first = try #require(publish(&discovery))
        #expect(matches(first, secret) && !matches(first, otherSecret))
        let second = try #require(publish(&discovery, secret: otherSecret))
        #expect(matches(second, otherSecret) && !matches(second, secret))
        func nonce(_ announcement: ServiceAnnouncement) -> [UInt8]? {
            announcement.txt["tag"].flatMap { HouseholdTag(text: $0) }?.nonce
        }
        #expect(nonce(first) != nil && nonce(first) == nonce(second))
        let last = try #require(publish(&discovery, secret: []))
        #expect(last.txt["tag"] == nil)
    }

    @Test func theTagIsMadeAnewAtEachHour() throws {
        var discovery = ServiceDiscovery()
        let first = try #require(publish(&discovery, minute: 20))
        #expect(discovery.deadline == MonotonicTime(milliseconds: 60 * 60_000))
        #expect(publish(&discovery, minute: 59) == nil)
        let second = try #require(publish(&discovery, minute: 60))
        #expect(discovery.deadline == MonotonicTime(milliseconds: 120 * 60_000))
        #expect(second.txt["tag"] != first.txt["tag"] && second.instance == first.instance)
        // A clock that is set makes no agent wait for longer than an hour, or not at all.
        _ = publish(&discovery, minute: -40_000_000)
        #expect(discovery.deadline == MonotonicTime(milliseconds: (-40_000_000 + 40) * 60_000))
    }

    // MARK: Names

    /// Another device holds the name, and the responder does not say so: this device gets another name, and no more than
    /// one before it has seen itself, for where there is no multicast no name helps.
    @Test func whoIsNotSeenGetsAnotherNameOnce() throws {
        var discovery = ServiceDiscovery()
        #expect(happens(&discovery, .seesItself(false)).isEmpty, "nothing is published yet")
        let first = try #require(publish(&discovery))
        #expect(happens(&discovery, .seesItself(false)).count == 1)
        let second = try #require(publish(&discovery, seed: 2))
        #expect(second.instance != first.instance)
        #expect(TagReader(secret: secret).knows(second.instance, ports: [second.port], txt: second.txt))
        #expect(happens(&discovery, .seesItself(false)).isEmpty)
        #expect(publish(&discovery, seed: 3) == nil)
        _ = happens(&discovery, .seesItself(true))
        _ = happens(&discovery, .seesItself(false))
        let third = try #require(publish(&discovery, seed: 4))
        #expect(third.instance != second.instance)
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
        func happens(_ event: DiscoveryEvent) -> [String] { self.happens(&discovery, event) }
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
            _ = happens(&discovery, .seesItself(isSeen))
            #expect(discovery.seesItself == isSeen)
        }
        _ = happens(&discovery, .running(backend: "system", interfaces: []))
        #expect(discovery.seesItself == nil)
        _ = happens(&discovery, .seesItself(true))
        _ = happens(&discovery, .trouble("the daemon is gone"))
        #expect(discovery.seesItself == nil)
        // Both at once: in between, the doctor would call it another trouble.
        _ = happens(&discovery, .trouble("no multicast", isUnseen: true))
        #expect(discovery.trouble == "no multicast" && discovery.seesItself == false)
    }

    /// What this device saw once says nothing of a firewall that came later.
    @Test func whetherThisDeviceSeesItselfIsAskedAnew() throws {
        var discovery = ServiceDiscovery()
        let first = try #require(publish(&discovery))
        #expect(discovery.lookForItself().isEmpty, "no backend runs")
        _ = happens(&discovery, .running(backend: "embedded", interfaces: []))
        _ = happens(&discovery, .seesItself(true))
        #expect(!discovery.awaitsSight)
        for looks in 1...2 {
            guard case .publish(let asked)? = discovery.lookForItself().first else {
                Issue.record("it is not asked")
                return
            }
            var same = first
            same.looks = looks
            #expect(asked == same && discovery.awaitsSight)
            _ = happens(&discovery, .seesItself(true))
            #expect(!discovery.awaitsSight && publish(&discovery) == nil)
        }
        // Another name decides, and until then nothing is known.
        _ = discovery.lookForItself()
        _ = happens(&discovery, .seesItself(false))
        #expect(discovery.awaitsSight && discovery.seesItself == nil && discovery.trouble == nil)
        #expect(discovery.lookForItself().isEmpty, "the new name is not published yet")
        #expect(try #require(publish(&discovery, seed: 2)).instance != first.instance)
        _ = happens(&discovery, .trouble("no multicast", isUnseen: true))
        #expect(!discovery.awaitsSight && discovery.seesItself == false)
        #expect(discovery.lookForItself().count == 1 && discovery.awaitsSight)
        _ = happens(&discovery, .seesItself(false))
        #expect(!discovery.awaitsSight && discovery.trouble == "no multicast" && discovery.seesItself == false)
    }

    @Test func aTroubleOfTheBackendIsNotLookedInto_andHasItsCommand() {
        var discovery = ServiceDiscovery()
        _ = publish(&discovery)
        _ = happens(&discovery, .running(backend: "system", interfaces: []))
        _ = happens(&discovery, .trouble("the daemon is gone; start it", command: "start daemon"))
        #expect(discovery.troubleCommand == "start daemon")
        #expect(discovery.lookForItself().isEmpty && !discovery.awaitsSight)
        _ = happens(&discovery, .running(backend: "system", interfaces: []))
        #expect(discovery.troubleCommand == nil)
    }

    @Test func theStatusNamesTheBackendAndItsInterfaces() {
        var discovery = ServiceDiscovery()
        #expect(discovery.status == "off")
        _ = happens(&discovery, .running(backend: "system", interfaces: []))
        #expect(discovery.status == "system")
        _ = happens(&discovery, .running(backend: "embedded", interfaces: ["eth0", "wlan0"]))
        #expect(discovery.status == "embedded on eth0, wlan0")
    }
}
