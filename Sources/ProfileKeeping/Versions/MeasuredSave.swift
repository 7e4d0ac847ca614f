import LosslessJSON
import MergeCore

/// A save and the images it may be measured against, all as documents of the version that the rules describe.
///
/// A game reads and writes files of its own version, which need not be that of the rules: its file's own version field is
/// the truth about it. So both sides of a difference are lifted before they are compared.
struct MeasuredSave {
    let save: JSONDocument
    /// In the order given; `nil` where a game that writes saves of this version cannot have read it.
    let images: [JSONDocument?]
    /// Which images the game took to a later version by itself.
    let migrated: [Bool]
    /// Which of those no step lifts: what is missing beside them may have been converted into something else.
    let converted: [Bool]
    /// Every image is of a later version than the save: it comes from before all of them, and is no edit.
    let isStale: Bool

    init(_ save: JSONDocument, against images: [JSONDocument?], _ rules: RuleSet) {
        guard rules.version != nil, rules.versionAt != nil else {
            (self.save, self.images, isStale) = (save, images, false)
            migrated = images.map { _ in false }
            converted = migrated
            return
        }
        let order = VersionOrder(rules)
        let own = Self.place(save, rules, order)
        let places = images.map { $0.map { Self.place($0, rules, order) } }
        isStale = !places.contains { $0.map { $0 <= own } ?? false }
        let isOld = own < order.versions.count - 1
        var lifted: [JSONDocument?] = []
        for (image, place) in zip(images, places) {
            guard let image, let place, isStale || place <= own else {
                lifted.append(nil)
                continue
            }
            // A game that migrates a save does what the steps do, grants included; one that stays where it was does not.
            lifted.append(isOld ? Migration.measured(image, rules: rules) : Self.migrated(image, rules))
        }
        // Of an image and what became of it here when it was lifted, a game of this version has read the latter.
        let newest = zip(lifted, places).filter { !isOld && $0.1 == own }.compactMap(\.0)
        for index in lifted.indices where !isOld && places[index].map({ $0 < own }) ?? false {
            guard let old = lifted[index] else { continue }
            if newest.contains(where: { $0.sameValue($0.root, as: old.root, in: old) }) { lifted[index] = nil }
        }
        // An image that no step lifts is taken as it is, rather than none at all.
        if lifted.allSatisfy({ $0 == nil }) { lifted = images }
        self.images = lifted
        self.save = isOld ? Migration.measured(save, rules: rules) ?? save : save
        let migrated = places.map { place in place.map { !isOld && $0 < own } ?? false }
        converted = zip(images, migrated).map { image, isMigrated in
            isMigrated && image.map { !Migration.run($0, rules: rules, dryRun: true).report.errors.isEmpty } ?? false
        }
        self.migrated = migrated
    }

    /// Where a save stands among the versions that the rules list; what says none stands before all of them.
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

    private static func migrated(_ image: JSONDocument, _ rules: RuleSet) -> JSONDocument? {
        guard let text = Migration.run(image, rules: rules).text else { return image }
        return Bytes.equal(text, image.bytes) ? image : try? JSONDocument(parsing: text)
    }
}
