import MergeCore

/// The uncompressed content of a signed file: fields, each preceded by its length as 4 bytes, little-endian.
///
/// 1. The household's id, 16 bytes.
/// 2. The exporting device's name, UTF-8.
/// 3. The time of the export, milliseconds since 1970, 8 bytes, signed, little-endian.
/// 4. The roster: a `Roster` of Sync.proto.
/// 5. The document as JSON text.
/// 6. The profile: frames of Sync.proto with one `Delta` from nothing, each with its length before it as on a link.
///
/// A later version of the same format may add fields after these. A reader skips them.
struct TransferContent {
    var household: HouseholdID
    var deviceName: String
    var time: WallTime
    var roster: [RosterStatement]
    var document: [UInt8]
    var frames: [UInt8]

    init(
        household: HouseholdID, deviceName: String, time: WallTime, roster: [RosterStatement], document: [UInt8],
        frames: [UInt8]
    ) {
        (self.household, self.deviceName, self.time) = (household, deviceName, time)
        (self.roster, self.document, self.frames) = (roster, document, frames)
    }

    var bytes: [UInt8] {
        let fields = [
            household.bytes, Array(deviceName.utf8), TransferFormat.little(time.milliseconds),
            RosterArchive.bytes(roster), document,
            frames,
        ]
        var result: [UInt8] = []
        result.reserveCapacity(fields.reduce(0) { $0 + $1.count + 4 })
        for field in fields { result += TransferFormat.little(UInt32(field.count)) + field }
        return result
    }

    init(_ bytes: [UInt8]) throws(TransferFault) {
        var position = 0
        func field(_ what: String, size: Int? = nil) throws(TransferFault) -> ArraySlice<UInt8> {
            guard bytes.count - position >= 4 else { throw .damaged("\(what) is missing") }
            let length: UInt32 = TransferFormat.number(bytes, at: position)
            position += 4
            guard Int(length) <= bytes.count - position, size ?? Int(length) == Int(length) else {
                throw .damaged("\(what) has another length than it may have")
            }
            position += Int(length)
            return bytes[position - Int(length)..<position]
        }
        guard let household = HouseholdID(bytes: try field("the household", size: 16)) else {
            preconditionFailure("16 bytes are an id")
        }
        self.household = household
        let name = try field("the device's name")
        guard name.count <= Limits.name, let text = String(validating: name, as: UTF8.self), DisplayName.isClean(text)
        else { throw .damaged("the device's name is none") }
        deviceName = text
        time = WallTime(milliseconds: TransferFormat.number(Array(try field("the time", size: 8)), at: 0))
        do {
            roster = try RosterArchive.statements(Array(try field("the roster")))
        } catch let fault as TransferFault {
            throw fault
        } catch {
            throw .damaged("\(error)")
        }
        document = Array(try field("the document"))
        frames = Array(try field("the profile"))
    }
}
