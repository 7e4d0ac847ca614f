import DiskStore
import ProfileKeeping

/// The record of a home, opened as that of a new start of an agent.
struct OpenedRecord {
    let record: SQLiteRecord
    /// Whether it is an old one or a copy.
    let isRolledBack: Bool

    /// - Parameter mayCheckLater: Whether a record that was undamaged at its end is opened without reading all of it first;
    ///   ``RecordCheckService`` does that then.
    init(home: String, mayCheckLater: Bool = false) throws {
        let incarnation = try RecordIncarnation(home: home)
        do {
            record = try SQLiteRecord(home: home, isAtRest: mayCheckLater && incarnation.isAtRest)
            var random = SystemRandomNumberGenerator()
            let token = (0..<RecordIncarnation.size).map { _ in UInt8.random(in: 0...255, using: &random) }
            isRolledBack = try incarnation.begin(record, token: token)
        } catch {
            incarnation.abandoned()
            throw error
        }
    }
}
