import SyncProtocol

/// What must hold of the tag in a device's announcement, for any text at all.
enum TagOracle {
    /// One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let tag = HouseholdTag(text: String(decoding: bytes, as: UTF8.self)) else { return nil }
        guard tag.nonce.count == 8, tag.tag.count == 16 else { return "a tag has another size" }
        guard HouseholdTag(text: tag.text) == tag else { return "a tag is not read as it is written" }
        return tag.matches(secret: []) ? "a tag matches without a secret" : nil
    }
}
