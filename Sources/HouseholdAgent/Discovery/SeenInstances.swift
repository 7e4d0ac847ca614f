/// The instances that a backend shows, and which of them are worth a place.
///
/// Anybody on the network can announce as many instances as it likes. So places are few, and an instance that is more
/// likely to be wanted takes the place of one that is less.
struct SeenInstances {
    /// The largest number of remembered instances.
    static let limit = 256

    /// How likely it is that an instance is wanted, ascending.
    enum Standing: Int, Comparable {
        /// A device of some other household, which may be this one's after a pairing.
        case stranger
        /// A device that shows a pairing code.
        case showsCode
        /// Its tag is right, and of another day or made under a former secret. The clock of one of the two devices may be
        /// wrong, the device may have been away when the secret was renewed, or somebody repeats an announcement.
        case perhapsMember
        /// A device of the household, by a tag of today.
        case member

        static func < (a: Standing, b: Standing) -> Bool { a.rawValue < b.rawValue }

        var isOfHousehold: Bool { self >= .perhapsMember }
    }

    /// An instance that a backend shows.
    struct Instance {
        var name: String
        var addresses: [PeerAddress]
        var txt: [String: String]
        var standing: Standing

        /// Whether the device shows a pairing code at the moment.
        var showsCode: Bool { txt["pair"] == "1" }
    }

    private var instances: [String: Instance] = [:]

    /// Judges an instance by its tag.
    static func standing(
        _ name: String, _ addresses: [PeerAddress], _ txt: [String: String], _ reader: TagReader, hour: UInt32
    ) -> Standing {
        switch reader.read(name, ports: addresses.map(\.port), txt: txt, hour: hour) {
        case .present(let isOfToday): isOfToday ? .member : .perhapsMember
        case .former: .perhapsMember
        case nil: txt["pair"] == "1" ? .showsCode : .stranger
        }
    }

    /// Takes an instance in. Returns the one that lost its place for it; `nil` where none did. An instance without a tag
    /// that shows no code is never wanted, and takes no place.
    mutating func take(_ instance: Instance) -> (isKept: Bool, evicted: Instance?) {
        let isKnown = instances.removeValue(forKey: instance.name) != nil
        guard instance.standing > .stranger || instance.txt["tag"] != nil else { return (false, nil) }
        guard !isKnown, instances.count >= Self.limit else {
            instances[instance.name] = instance
            return (true, nil)
        }
        let least = instances.values.min { ($0.standing, $0.name) < ($1.standing, $1.name) }!
        guard least.standing < instance.standing else { return (false, nil) }
        instances[least.name] = nil
        instances[instance.name] = instance
        return (true, least)
    }

    mutating func remove(_ name: String) { instances[name] = nil }

    /// Judges all instances anew, because the household has another secret.
    mutating func judge(_ reader: TagReader, hour: UInt32) {
        for (name, instance) in instances {
            instances[name]?.standing = Self.standing(name, instance.addresses, instance.txt, reader, hour: hour)
        }
    }

    /// All instances in the order of their names.
    var all: [Instance] { instances.values.sorted { $0.name < $1.name } }
}
