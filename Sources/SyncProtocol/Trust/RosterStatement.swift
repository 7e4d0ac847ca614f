import MergeCore

/// A signed statement of one device (the issuer) that a device (the subject) is, or is no longer, a member of a
/// household, or that it wrote in one of its saves.
package struct RosterStatement: Hashable, Sendable {
    /// The kind of a statement: whether the subject is a member, and how the issuer knows.
    package enum Purpose: UInt8, Hashable, Sendable {
        /// A member: the issuer paired with it. Only such a statement brings a device into the household.
        case paired = 0
        /// No member any more.
        case removed = 1
        /// A member: the issuer confirms a member that another device paired, so that the member stays when that device
        /// is removed.
        case vouched = 2
        /// No member by this statement: the subject wrote in a save that came into the household with the issuer, so its
        /// writes are accepted.
        case wrote = 3
    }

    package let household: HouseholdID
    package let subject: DeviceKey
    /// The name that people gave the subject. At most 64 bytes.
    package let name: String
    package let purpose: Purpose
    /// The statement with the higher serial counts; among equal serials a removal.
    package let serial: UInt64
    package let issuer: DeviceKey
    /// 64 bytes by the issuer's key over ``signedBytes``.
    package let signature: [UInt8]
    /// Which statement it is. It follows from all the others.
    package let hash: StatementHash

    /// A statement that came from another device or the record.
    package init(
        household: HouseholdID,
        subject: DeviceKey,
        name: String,
        purpose: Purpose,
        serial: UInt64,
        issuer: DeviceKey,
        signature: [UInt8]
    ) {
        self.household = household
        self.subject = subject
        self.name = name
        self.purpose = purpose
        self.serial = serial
        self.issuer = issuer
        self.signature = signature
        let signed = Self.signedBytes(household, subject, name, purpose, serial, issuer)
        hash = StatementHash(signed: signed, signature: signature)
    }

    /// A statement by this device.
    package init(
        household: HouseholdID,
        subject: DeviceKey,
        name: String,
        purpose: Purpose,
        serial: UInt64,
        by signer: some DeviceSigner
    ) {
        let signed = Self.signedBytes(household, subject, name, purpose, serial, signer.key)
        self.init(
            household: household,
            subject: subject,
            name: name,
            purpose: purpose,
            serial: serial,
            issuer: signer.key,
            signature: signer.signature(for: signed)
        )
    }

    /// The bytes that the signature covers; Sync.proto specifies the layout.
    package var signedBytes: [UInt8] {
        Self.signedBytes(household, subject, name, purpose, serial, issuer)
    }

    private static func signedBytes(
        _ household: HouseholdID, _ subject: DeviceKey, _ name: String, _ purpose: Purpose, _ serial: UInt64,
        _ issuer: DeviceKey
    ) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth roster statement 1")
        text.add(household.bytes)
        text.add(subject.bytes)
        text.add(Array(name.utf8))
        text.add([purpose.rawValue])
        text.add(serial)
        text.add(issuer.bytes)
        return text.bytes
    }

    // The hash covers every other field, to the byte.
    package static func == (a: RosterStatement, b: RosterStatement) -> Bool { a.hash == b.hash }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Whether it says that the subject is a member.
    package var isOfMember: Bool { purpose == .paired || purpose == .vouched }

    /// Whether the signature is the issuer's and every field is within its limit.
    package var isValid: Bool {
        (purpose == .wrote
            ? name.isEmpty && serial == 1 : DisplayName.isClean(name) && (1...Limits.serial).contains(serial))
            && issuer.isValid(signature: signature, for: signedBytes)
    }
}
