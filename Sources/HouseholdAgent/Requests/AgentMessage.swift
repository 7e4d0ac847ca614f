/// A message of the agent to a client: one JSON object, which commands also print with `--json`. Its members are kept
/// from version to version; more may be added.
package protocol AgentMessage: Codable, Sendable {
    /// The object's member `event`, by which a reader tells messages apart.
    static var event: String { get }
}

/// For requests without events.
extension Never: AgentMessage {
    package static var event: String { "never" }
}

extension SubscriptionReport: AgentMessage { package static let event = "pulled" }
extension ExplainReport: AgentMessage { package static let event = "explained" }
extension ImportReport: AgentMessage { package static let event = "imported" }
extension LogReport: AgentMessage { package static let event = "log" }
extension MigrationSummary: AgentMessage { package static let event = "migrated" }
extension PlayReport: AgentMessage { package static let event = "playing" }
extension PlayedReport: AgentMessage { package static let event = "played" }
extension PreviewReport: AgentMessage { package static let event = "preview" }
extension RulesReport: AgentMessage { package static let event = "rules" }
extension StatusReport: AgentMessage { package static let event = "status" }
extension SummaryReport: AgentMessage { package static let event = "summary" }
extension SyncReport: AgentMessage { package static let event = "synced" }

/// The request is done, and there is no other result.
package struct Done: AgentMessage, Hashable {
    package static let event = "done"

    package init() {}
}

/// A profile as it is after the request, with a remark if there is one.
package struct ProfileAnswer: AgentMessage, Hashable {
    package static let event = "profile"

    package var profile: ProfileReport
    package var note: String?

    package init(profile: ProfileReport, note: String? = nil) { (self.profile, self.note) = (profile, note) }
}

package struct ProfileList: AgentMessage, Hashable {
    package static let event = "profiles"

    package var profiles: [ProfileReport]

    package init(profiles: [ProfileReport]) { self.profiles = profiles }
}

/// A profile that this device, or the household, does not keep any more.
package struct ForgottenProfile: AgentMessage, Hashable {
    package static let event = "forgotten"

    package var profile: ProfileReport

    package init(profile: ProfileReport) { self.profile = profile }
}

/// A profile, or this device, that has another name from now on.
package struct Renamed: AgentMessage, Hashable {
    package static let event = "renamed"

    package var former: String
    /// The profile; none where a device was renamed.
    package var profile: ProfileReport?
    /// This device; none where a profile was renamed.
    package var device: DeviceReport?
    package var note: String?

    package init(
        former: String, profile: ProfileReport? = nil, device: DeviceReport? = nil, note: String? = nil
    ) {
        (self.former, self.profile, self.device, self.note) = (former, profile, device, note)
    }
}

/// A pairing code that is shown here.
package struct PairingCodeMessage: AgentMessage, Hashable {
    package static let event = "code"

    package var code: String
    /// Milliseconds since 1970.
    package var expires: Int64
    /// Where the other machine reaches this one if it does not find it: `host:port`, at most three; none where no address
    /// is known.
    package var addresses: [String]?

    package init(code: String, expires: Int64, addresses: [String]? = nil) {
        (self.code, self.expires, self.addresses) = (code, expires, addresses)
    }
}

/// A device that belongs to the household from now on.
package struct PairedDevice: AgentMessage, Hashable {
    package static let event = "paired"

    package var device: DeviceReport

    package init(device: DeviceReport) { self.device = device }
}

/// A device that does not belong to the household any more.
package struct RemovedDevice: AgentMessage, Hashable {
    package static let event = "removed"

    package var device: DeviceReport
    /// The devices that only the removed device brought into the household.
    package var broughtIn: [DeviceReport]
    /// Whether these were removed as well.
    package var withBroughtIn: Bool

    package init(device: DeviceReport, broughtIn: [DeviceReport] = [], withBroughtIn: Bool = false) {
        (self.device, self.broughtIn, self.withBroughtIn) = (device, broughtIn, withBroughtIn)
    }
}

package struct DeviceList: AgentMessage, Hashable {
    package static let event = "devices"

    package var devices: [DeviceReport]

    package init(devices: [DeviceReport]) { self.devices = devices }
}

/// A document as JSON text.
package struct DocumentText: AgentMessage, Hashable {
    package static let event = "document"

    package var document: String
    /// A sentence for the player, such as that the last save is missing; `nil` for none.
    package var note: String?

    package init(document: String, note: String? = nil) { (self.document, self.note) = (document, note) }
}

package struct ConflictList: AgentMessage, Hashable {
    package static let event = "conflicts"

    package var conflicts: [ConflictReport]

    package init(conflicts: [ConflictReport]) { self.conflicts = conflicts }
}

/// Backups of a profile, the newest first.
package struct BackupList: AgentMessage, Hashable {
    package static let event = "backups"

    package var backups: [BackupReport]

    package init(backups: [BackupReport]) { self.backups = backups }
}

/// Steps of a history, the newest first.
package struct HistoryList: AgentMessage, Hashable {
    package static let event = "history"

    package var history: [HistoryReport]

    package init(history: [HistoryReport]) { self.history = history }
}

/// A signed transfer file.
package struct ExportedTransfer: AgentMessage, Hashable {
    package static let event = "exported"

    package var export: ExportReport
    /// The bytes of the file.
    package var data: Base64Bytes

    package init(export: ExportReport, data: [UInt8]) { (self.export, self.data) = (export, Base64Bytes(bytes: data)) }
}
