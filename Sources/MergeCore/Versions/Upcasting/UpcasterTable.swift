/// The upcasts for atoms of all former versions: how each becomes an atom of the version that the rules in force
/// describe.
struct UpcasterTable: Sendable, Equatable {
    /// The version from which to upcast atoms whose own version the rules do not list.
    enum Former: Hashable, Sendable {
        case listed(String)
        /// The atoms of a save that states no known version. The legacy steps upcast them.
        case legacy
    }

    /// The version of the rules in force. Its atoms need no upcast.
    let own: VersionLabel
    /// Whether the rules in force name no version. Then no path without a version needs an upcast.
    private let isUnnamed: Bool
    private let rules: Part
    private let upcasters: [VersionLabel: Upcaster]
    private let others: Upcaster

    /// The parts of the rules that say how to upcast. Two tables are equal if these are.
    private struct Part: Hashable, Sendable {
        var version: String?
        var versionAt: String?
        var migrations: [Migration] = []
        var legacy: Migration?
        var former: [VersionLabel: Former] = [:]
    }

    /// Makes the table for rules that name no version: every atom stays where it is.
    init() { self.init(.empty, former: [:]) }

    init(_ rules: RuleSet, former: [VersionLabel: Former]) {
        own = VersionLabel(rules)
        isUnnamed = own == .none
        guard own != .none else {
            self.rules = Part()
            (upcasters, others) = ([:], Upcaster(steps: [], version: nil))
            return
        }
        self.rules = Part(
            version: rules.version, versionAt: rules.versionAt, migrations: rules.migrations, legacy: rules.legacy,
            former: former)
        let version = Upcaster.Version(rules)
        let chain = rules.migrations.map(\.steps)
        let order = VersionOrder(rules)
        func upcaster(from index: Int) -> Upcaster { Upcaster(steps: chain[index...].flatMap { $0 }, version: version) }
        var upcasters: [VersionLabel: Upcaster] = [:]
        for index in order.versions.indices { upcasters[VersionLabel(order.versions[index])] = upcaster(from: index) }
        for (label, former) in former where upcasters[label] == nil {
            switch former {
            case .listed(let name):
                if let index = order.index(of: name) { upcasters[label] = upcaster(from: index) }
            case .legacy:
                guard let legacy = rules.legacy, let index = order.index(of: legacy.to) else { continue }
                upcasters[label] = Upcaster(steps: legacy.steps + upcaster(from: index).steps, version: version)
            }
        }
        self.upcasters = upcasters
        others = Upcaster(steps: [], version: version)
    }

    /// The place where saves state their version, and the version of the rules; `nil` where the rules name none.
    var version: Upcaster.Version? { others.version }

    /// The upcast for atoms of a version. Atoms of a version that the rules do not know keep their places, so that
    /// nothing of them is lost.
    func upcaster(from label: VersionLabel) -> Upcaster { upcasters[label] ?? others }

    /// Whether a path in its stored form needs no upcast under the rules in force.
    func isOwn(_ path: DocumentPath) -> Bool {
        if path.dependsOnVersion { return isUnnamed }
        if !path.isReserved { return true }
        let label = path.version.label
        return label == .none || label == own
    }

    /// The keys under which an atom may show, for a key in its stored form or in the form that shows.
    func shown(_ key: AtomKey) -> [AtomKey] {
        let (label, place) = key.path.version
        if label == own { return [AtomKey(place, key.kind, sub: key.sub)] }
        guard label != .none || key.path.dependsOnVersion else { return [key] }
        let targets = upcaster(from: label).targets(of: place).map { AtomKey($0, key.kind, sub: key.sub) }
        return label == .none ? [key] + targets.filter { $0 != key } : targets
    }

    /// The keys under which any of some atoms may show.
    func shown(_ keys: [AtomKey]) -> [AtomKey] {
        own == .none && !keys.contains { $0.path.namesVersion } ? keys : keys.flatMap { shown($0) }
    }

    static func == (a: UpcasterTable, b: UpcasterTable) -> Bool { a.rules == b.rules }
}
