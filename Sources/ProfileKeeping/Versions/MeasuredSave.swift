import LosslessJSON
import MergeCore

/// A save and the snapshots that it may be compared with, all as documents of the version that the rules describe.
///
/// A game reads and writes files of its own version, which need not be that of the rules: the version field in the file
/// names it. So both sides of a comparison are upcast first.
struct MeasuredSave {
    let save: JSONDocument
    /// The snapshots in the given order; `nil` where a game that writes saves of this version cannot have read one.
    let snapshots: [JSONDocument?]
    /// For each snapshot, whether the game took it to a later version by itself.
    let migrated: [Bool]
    /// For each snapshot, whether the game did so and no step upcasts the snapshot. A value that the save lacks may
    /// then have been converted into another one.
    let converted: [Bool]
    /// Whether every snapshot is of a later version than the save. Then the save is older than all of them, and no
    /// edit.
    let isStale: Bool

    init(_ save: JSONDocument, against snapshots: [JSONDocument?], _ rules: RuleSet) {
        guard rules.version != nil, rules.versionAt != nil else {
            (self.save, self.snapshots, isStale) = (save, snapshots, false)
            migrated = snapshots.map { _ in false }
            converted = migrated
            return
        }
        let order = VersionOrder(rules)
        let own = Self.place(save, rules, order)
        let places = snapshots.map { $0.map { Self.place($0, rules, order) } }
        isStale = !places.contains { $0.map { $0 <= own } ?? false }
        let isOld = own < order.versions.count - 1
        var upcasted: [JSONDocument?] = []
        for (snapshot, place) in zip(snapshots, places) {
            guard let snapshot, let place, isStale || place <= own else {
                upcasted.append(nil)
                continue
            }
            // A game that migrates a save does what the steps do, grants included. A game that stays at its version
            // does not, so grants are left out.
            upcasted.append(isOld ? Migration.measured(snapshot, rules: rules) : Self.migrated(snapshot, rules))
        }
        // A snapshot and its upcast form can both be here. A game of this version has read the upcast form.
        let newest = zip(upcasted, places).filter { !isOld && $0.1 == own }.compactMap(\.0)
        for index in upcasted.indices where !isOld && places[index].map({ $0 < own }) ?? false {
            guard let old = upcasted[index] else { continue }
            if newest.contains(where: { $0.sameValue($0.root, as: old.root, in: old) }) { upcasted[index] = nil }
        }
        // If no snapshot can be upcast, all are taken as they are, rather than none.
        if upcasted.allSatisfy({ $0 == nil }) { upcasted = snapshots }
        self.snapshots = upcasted
        self.save = isOld ? Migration.measured(save, rules: rules) ?? save : save
        let migrated = places.map { place in place.map { !isOld && $0 < own } ?? false }
        converted = zip(snapshots, migrated).map { snapshot, isMigrated in
            isMigrated && snapshot.map { !Migration.run($0, rules: rules, dryRun: true).report.errors.isEmpty } ?? false
        }
        self.migrated = migrated
    }

    /// The position of a save among the versions that the rules list. A save that states no version comes before all of
    /// them.
    private static func place(_ document: JSONDocument, _ rules: RuleSet, _ order: VersionOrder) -> Int {
        let last = order.versions.count - 1
        switch SaveVersion.detect(document, rules) {
        case .same: return last
        case .older(let version): return order.index(of: version) ?? -1
        case .newer: return last + 1
        case .unversioned where rules.migrations.isEmpty && rules.legacy == nil: return last
        case .unversioned, .unknown: return -1
        }
    }

    private static func migrated(_ snapshot: JSONDocument, _ rules: RuleSet) -> JSONDocument? {
        guard let text = Migration.run(snapshot, rules: rules).text else { return snapshot }
        return Bytes.equal(text, snapshot.bytes) ? snapshot : try? JSONDocument(parsing: text)
    }
}
