/// How atoms of every former version become those of the version that the rules in force describe.
struct LiftBook: Sendable, Equatable {
    /// At which listed version atoms stand whose own version the rules do not list.
    enum Former: Hashable, Sendable {
        case listed(String)
        /// A save that says no version that anybody knows: the legacy steps take it.
        case legacy
    }

    /// The version of the rules in force: nothing is to be done with its atoms.
    let own: VersionLabel
    /// Whether it has no name: then every path but those that name a version means what it says.
    private let isUnnamed: Bool
    private let rules: Part
    private let lifts: [VersionLabel: Lift]
    private let others: Lift

    /// What of the rules says how to lift.
    private struct Part: Hashable, Sendable {
        var version: String?
        var versionAt: String?
        var migrations: [Migration] = []
        var legacy: Migration?
        var former: [VersionLabel: Former] = [:]
    }

    /// Rules that name no version: everything stays where it is.
    init() { self.init(.empty, former: [:]) }

    init(_ rules: RuleSet, former: [VersionLabel: Former]) {
        own = VersionLabel(rules)
        isUnnamed = own == .none
        guard own != .none else {
            self.rules = Part()
            (lifts, others) = ([:], Lift(steps: [], version: nil))
            return
        }
        self.rules = Part(
            version: rules.version, versionAt: rules.versionAt, migrations: rules.migrations, legacy: rules.legacy,
            former: former)
        let version = Lift.Version(rules)
        let chain = rules.migrations.map(\.steps)
        let order = VersionOrder(rules)
        func lift(from index: Int) -> Lift { Lift(steps: chain[index...].flatMap { $0 }, version: version) }
        var lifts: [VersionLabel: Lift] = [:]
        for index in order.versions.indices { lifts[VersionLabel(order.versions[index])] = lift(from: index) }
        for (label, former) in former where lifts[label] == nil {
            switch former {
            case .listed(let name):
                if let index = order.index(of: name) { lifts[label] = lift(from: index) }
            case .legacy:
                guard let legacy = rules.legacy, let index = order.index(of: legacy.to) else { continue }
                lifts[label] = Lift(steps: legacy.steps + lift(from: index).steps, version: version)
            }
        }
        self.lifts = lifts
        others = Lift(steps: [], version: version)
    }

    /// Where saves say their version, and what they say under the rules in force; `nil` where those name none.
    var version: Lift.Version? { others.version }

    /// What becomes of atoms of a version. One that the rules know nothing of is taken at its word, so that nothing of
    /// it is lost.
    func lift(from label: VersionLabel) -> Lift { lifts[label] ?? others }

    /// Whether a path that is stored or sent means what it says under the rules in force.
    func isOwn(_ path: DocumentPath) -> Bool {
        if path.dependsOnVersion { return isUnnamed }
        if !path.isReserved { return true }
        let label = path.version.label
        return label == .none || label == own
    }

    /// Where a key may show, be it one that is stored or sent or one that shows.
    func shown(_ key: AtomKey) -> [AtomKey] {
        let (label, place) = key.path.version
        if label == own { return [AtomKey(place, key.kind, sub: key.sub)] }
        guard label != .none || key.path.dependsOnVersion else { return [key] }
        let targets = lift(from: label).targets(of: place).map { AtomKey($0, key.kind, sub: key.sub) }
        return label == .none ? [key] + targets.filter { $0 != key } : targets
    }

    /// The same for many.
    func shown(_ keys: [AtomKey]) -> [AtomKey] {
        own == .none && !keys.contains { $0.path.namesVersion } ? keys : keys.flatMap { shown($0) }
    }

    static func == (a: LiftBook, b: LiftBook) -> Bool { a.rules == b.rules }
}
