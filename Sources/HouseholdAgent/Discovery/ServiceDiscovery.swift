import MergeCore
import SyncProtocol

/// The DNS-SD part of an agent: what this device publishes, and which instances it sees. Events of a backend go in,
/// effects come out.
///
/// Discovery is only a hint: TLS proves which device an instance is. The tag in the TXT record only shows whether it is
/// worth dialling, and how soon. No tag keeps a device out that has the household's secret, whatever its clock says.
struct ServiceDiscovery {
    /// An effect that the rest of the agent carries out.
    enum Effect {
        case publish(ServiceAnnouncement)
        /// A device of the household can be reached at these addresses. Other addresses of that instance are no longer
        /// valid. It can be reached now if that is sure; otherwise the announcement may be a repeated one.
        case dial(instance: String, [PeerAddress], isSure: Bool)
        /// This instance is not a device of the household, or not any more.
        case forget(instance: String)
        /// A device that shows a pairing code can be reached at these addresses.
        case showsCode([PeerAddress])
        case log(LogLine)
    }

    private struct Basis: Equatable {
        var port: UInt16
        var household: TagReader
        var showsCode: Bool
        var hour: UInt32
    }

    /// The backend that carries discovery, for people to read.
    private(set) var status = "off"
    /// The reason why nothing can be found, in one sentence; `nil` while discovery works.
    private(set) var trouble: String?
    /// The command that may end ``trouble``, for the player to copy; `nil` where none is known.
    private(set) var troubleCommand: String?
    /// Whether this device has seen its own announcement; `nil` while that is not known.
    private(set) var seesItself: Bool?
    /// Whether it was asked to look for that anew, and has not answered.
    private var isLooking = false
    /// The time at which the announcement needs the tag of another hour; `nil` while it has no tag.
    private(set) var deadline: MonotonicTime?
    private var published: ServiceAnnouncement?
    /// The values from which the announcement was made. It stays while none of them changes.
    private var basis: Basis?
    /// Whether the name was given up for another one since this device has last seen itself.
    private var isRenamed = false
    private var instances = SeenInstances()

    /// Takes an event of the backend.
    ///
    /// - Parameters:
    ///   - household: Reads the tags of the household that this device is in.
    ///   - hour: The hour that this device's clock shows.
    mutating func happened(_ event: DiscoveryEvent, household: TagReader, hour: UInt32) -> [Effect] {
        switch event {
        case .found(let name, let addresses, let txt):
            guard name != published?.instance else { return [] }
            let standing = SeenInstances.standing(name, addresses, txt, household, hour: hour)
            let instance = SeenInstances.Instance(name: name, addresses: addresses, txt: txt, standing: standing)
            let (isKept, evicted) = instances.take(instance)
            var effects = evicted.map { [Effect.forget(instance: $0.name)] } ?? []
            effects.append(isKept ? Self.effect(of: instance) : .forget(instance: name))
            if isKept, instance.showsCode { effects.append(.showsCode(addresses)) }
            return effects
        case .lost(let name):
            instances.remove(name)
            return [.forget(instance: name)]
        case .running(let backend, let interfaces):
            status = interfaces.isEmpty ? backend : "\(backend) on \(interfaces.joined(separator: ", "))"
            (trouble, troubleCommand, seesItself, isLooking) = (nil, nil, nil, false)
            return [.log(LogLine(.info, "looking for devices", ["backend": status]))]
        case .seesItself(let isSeen):
            (seesItself, isLooking) = (isSeen, false)
            return isSeen ? seen() : unseen()
        case .trouble(let why, let isUnseen, let command):
            let effects: [Effect] =
                trouble == why ? [] : [.log(LogLine(.warning, "devices cannot be found", ["why": why]))]
            (trouble, troubleCommand, seesItself, isLooking) = (why, command, isUnseen ? false : nil, false)
            return isUnseen ? effects + unseen() : effects
        }
    }

    private mutating func seen() -> [Effect] {
        isRenamed = false
        return []
    }

    /// Nobody sees this device under its name: no multicast arrives, or another one holds the name, and not every
    /// responder says so. Another name helps against the second, so it gets one; against the first none helps, so it
    /// gets no more than one.
    private mutating func unseen() -> [Effect] {
        guard !isRenamed, published != nil else { return [] }
        (isRenamed, published, basis) = (true, nil, nil)
        // Whether the new name is seen is not known yet.
        if trouble == nil { seesItself = nil }
        return [.log(LogLine(.info, "this device is announced under another name, since it is not seen"))]
    }

    /// Whether this device sees itself is not known, and will be in a moment.
    var awaitsSight: Bool { status != "off" && (isLooking || trouble == nil && seesItself == nil) }

    /// Has this device look for its own announcement anew: what it saw once says nothing of a firewall that came later.
    mutating func lookForItself() -> [Effect] {
        // With any other trouble nothing can be seen. The backend reports when that ends.
        guard status != "off", trouble == nil || seesItself == false, published != nil else { return [] }
        isLooking = true
        published!.looks += 1
        return [.publish(published!)]
    }

    private static func effect(of instance: SeenInstances.Instance) -> Effect {
        guard instance.standing.isOfHousehold else { return .forget(instance: instance.name) }
        return .dial(instance: instance.name, instance.addresses, isSure: instance.standing == .member)
    }

    /// Publishes the present announcement, unless it is published already. Its tag is a new one at each hour.
    mutating func publish(
        port: UInt16, household: TagReader, showsCode: Bool, now: Moment, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        let isTagged = !household.secret.isEmpty
        let hour = HouseholdTag.hour(of: now.wall)
        deadline = isTagged ? Self.nextHour(now) : nil
        let basis = Basis(port: port, household: household, showsCode: showsCode, hour: isTagged ? hour : 0)
        guard basis != self.basis else { return [] }
        self.basis = basis
        func fresh() -> [UInt8] { (0..<8).map { _ in random.next() } }
        var next = published ?? ServiceAnnouncement(instance: Self.hexText(fresh()), port: port, txt: ["v": "1"])
        next.port = port
        next.household = household
        if isTagged {
            let nonce = next.txt["tag"].flatMap { HouseholdTag(text: $0) }?.nonce ?? fresh()
            let tag = HouseholdTag(
                nonce: nonce, secret: household.secret, instance: next.instance, port: port, hour: hour)
            next.txt["tag"] = tag.text
        } else {
            next.txt["tag"] = nil
        }
        next.txt["pair"] = showsCode ? "1" : nil
        published = next
        return [.publish(next)]
    }

    /// The time at which the clock shows another hour, if nobody sets it before.
    private static func nextHour(_ now: Moment) -> MonotonicTime {
        let hour: Int64 = 3_600_000
        let passed = (now.wall.milliseconds % hour + hour) % hour
        return now.monotonic + .milliseconds(hour - passed)
    }

    /// Effects that dial all seen instances of the household, for after its secret has changed.
    mutating func members(household: TagReader, hour: UInt32) -> [Effect] {
        instances.judge(household, hour: hour)
        return instances.all.filter(\.standing.isOfHousehold).map(Self.effect(of:))
    }

    /// The addresses of the devices that show a pairing code.
    var addressesWithCode: [PeerAddress] { instances.all.filter(\.showsCode).flatMap(\.addresses) }

    private static func hexText(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
