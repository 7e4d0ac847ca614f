package import MergeCore

/// Takes up a signed transfer file.
package struct ImportTransferRequest: AgentRequest {
    package static let name = "importTransfer"
    package typealias Response = ImportReport

    /// The absolute path of the transfer file.
    package var path: String?
    /// The bytes of the transfer file, in place of its path.
    package var data: Base64Bytes?
    /// The absolute path for the profile's file on this device; none to leave it as it is.
    package var to: String?
    /// Whether it is kept there even where another tool syncs the folder; `nil` for no.
    package var anyway: Bool?
    /// Whether the player agreed to a signer who is not in the household.
    package var trusting: Bool
    /// Whether only a report is made.
    package var dryRun: Bool

    package init(
        path: String, to: String? = nil, anyway: Bool? = nil, trusting: Bool = false, dryRun: Bool = false
    ) {
        (self.path, self.to, self.anyway, self.trusting, self.dryRun) = (path, to, anyway, trusting, dryRun)
    }

    package init(data: [UInt8], to: String? = nil, trusting: Bool = false, dryRun: Bool = false) {
        (self.data, self.to, self.trusting, self.dryRun) = (Base64Bytes(bytes: data), to, trusting, dryRun)
    }

    package var fault: MemberFault? {
        ImportedFile.fault(path: path, data: data) ?? to.flatMap { .unlessAbsolute($0, "to") }
    }
    package var keptPath: String? { anyway == true ? nil : to }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.transfer(.importTransfer(call, self), named: nil, now: now)
    }
}
