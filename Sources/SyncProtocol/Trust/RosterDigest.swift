import Crypto

/// Digests by which two devices find out whether they hold the same; their layout is written down in Sync.proto.
enum RosterDigest {
    /// SHA-256 over all statements (`PairHello.roster_digest`).
    static func of(_ statements: [RosterStatement]) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth roster 1")
        for hash in statements.map(\.hash).sorted() { text.add(hash.bytes) }
        return Array(SHA256.hash(data: text.bytes))
    }

    /// SHA-256 over all statements and the household's secret (`Hello.household_digest`).
    static func of(_ statements: [RosterStatement], _ secret: HouseholdSecret?) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth household 1")
        text.add(of(statements))
        text.add(secret?.bytes ?? [])
        text.add(secret?.serial ?? 0)
        return Array(SHA256.hash(data: text.bytes))
    }
}
