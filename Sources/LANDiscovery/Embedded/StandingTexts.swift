/// The TXT records of one instance that stand in a responder's cache, and which of them is the present one.
///
/// A record that replaces another does not end it at once: what came within the last second stays for about two more
/// (RFC 6762, section 10.2). A device that takes a word back and says it again in that time is told as "new" for the first
/// two records alone, since the third is the first one and still stands. What shows the present record then is that the
/// second one goes.
struct StandingTexts {
    /// The largest number of records that are remembered. The network may be hostile.
    static let limit = 16

    /// The record that came last stands last.
    private var texts: [TXTStrings.Reading] = []

    /// A record came. Returns it, since it is the present one.
    mutating func came(_ text: TXTStrings.Reading) -> TXTStrings.Reading? {
        texts.removeAll { $0 == text }
        texts.append(text)
        if texts.count > Self.limit { texts.removeFirst() }
        return text
    }

    /// A record is gone. Returns the one that is present now; `nil` where it is the same as before, or none is left.
    mutating func went(_ text: TXTStrings.Reading) -> TXTStrings.Reading? {
        let wasPresent = texts.last == text
        texts.removeAll { $0 == text }
        return wasPresent ? texts.last : nil
    }
}
