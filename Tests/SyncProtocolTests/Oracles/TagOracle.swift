import SyncProtocol

/// What must hold of the tag in a device's announcement, for any text at all.
enum TagOracle {
    /// One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let tag = HouseholdTag(text: String(decoding: bytes, as: UTF8.self)) else { return nil }
        guard tag.nonce.count == 8, tag.text.utf8.count == 58 else { return "a tag has another size" }
        guard HouseholdTag(text: tag.text) == tag else { return "a tag is not read as it is written" }
        guard tag.isOfToday(tag.hour) else { return "a tag is not of its own day" }
        return tag.matches(secret: [], instance: "", port: 1) ? "a tag matches without a secret" : nil
    }
}
