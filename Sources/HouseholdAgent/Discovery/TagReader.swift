import SyncProtocol

/// Tells announcements of the household's devices from those of strangers, by their tags.
///
/// It holds secrets, so its description does not show what it holds.
package struct TagReader: Hashable, Sendable, CustomStringConvertible {
    /// What a tag says about its announcement.
    enum Reading: Hashable, Sendable {
        /// Made under the secret in force, today or at another time.
        case present(isOfToday: Bool)
        /// Made under a former secret, which a device may still have that was away when it was renewed. A device that
        /// was removed then has it as well.
        case former
    }

    /// The secret in force; empty where this device is in no household.
    let secret: [UInt8]
    private let former: [[UInt8]]

    /// - Parameter former: Secrets that are renewed, and that some member may still announce itself with.
    package init(secret: [UInt8] = [], former: [[UInt8]] = []) { (self.secret, self.former) = (secret, former) }

    package var description: String { "\(former.count + (secret.isEmpty ? 0 : 1)) household secrets" }

    /// Whether an announcement is one of the household, be it an old one.
    package func knows(_ instance: String, ports: some Sequence<UInt16>, txt: [String: String]) -> Bool {
        read(instance, ports: ports, txt: txt, hour: 0) != nil
    }

    /// What the tag in an announcement says; `nil` where the announcement is none of the household.
    ///
    /// - Parameter hour: The hour that this device's clock shows.
    func read(
        _ instance: String, ports: some Sequence<UInt16>, txt: [String: String], hour: UInt32
    ) -> Reading? {
        guard let tag = txt["tag"].flatMap({ HouseholdTag(text: $0) }) else { return nil }
        for port in Set(ports) {
            if tag.matches(secret: secret, instance: instance, port: port) {
                return .present(isOfToday: tag.isOfToday(hour))
            }
            if former.contains(where: { tag.matches(secret: $0, instance: instance, port: port) }) { return .former }
        }
        return nil
    }
}
