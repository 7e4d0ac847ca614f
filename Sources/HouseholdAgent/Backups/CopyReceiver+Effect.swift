import MergeCore
import ProfileKeeping
import SyncProtocol

extension CopyReceiver {
    /// An effect that the rest of the agent carries out.
    enum Effect {
        /// Ask for a part of a copy over a link.
        case ask(ConnectionID, CopyIntake)
        /// Answer a question about the disk: ``found(_:_:now:)``.
        case find(DiskQuestion)
        /// Append bytes to what is staged of a device: ``staged(_:of:_:)`` or ``failed(_:of:_:now:)``.
        case stage([UInt8], at: Int, of: DeviceID)
        /// Make what is staged of a device its copy of a day: ``kept(of:_:)`` or ``failed(_:of:_:now:)``.
        case keep(ProfileID, of: DeviceID, day: LocalDay, checksum: [UInt8])
        /// Remove what is staged of a device.
        case drop(DeviceID)
        /// Remove everything that is staged.
        case sweep
        /// Tell all devices whether this device keeps copies.
        case announce(Bool)
        case log(LogLine)
    }

    /// The parts of the agent's state that the receiver needs to read.
    struct Surroundings {
        var paused: Set<ProfileID>
        /// The local day at this device, once it is known.
        var today: LocalDay?
        /// Gives the name of a profile; `nil` if it has not arrived on this device.
        var profile: (ProfileID) -> String?
        /// Gives the name of a device.
        var name: (DeviceID) -> String

        /// Whether copies of a profile may be fetched: it has arrived, and is not paused here.
        func mayKeep(_ id: ProfileID) -> Bool { profile(id) != nil && !paused.contains(id) }
    }
}

extension LogLine {
    static func unknownProfile(_ profile: ProfileID, listedBy device: String) -> LogLine {
        LogLine(
            .warning, "a device lists backups of a profile that it does not have",
            ["device": device, "profile": "\(profile)"])
    }

    static func copyNotKept(_ fault: StorageFault) -> LogLine {
        LogLine(.warning, "a copy of another device's backup cannot be kept", ["why": fault.message])
    }

    static func copied(_ intake: CopyIntake, of device: String, _ profile: String) -> LogLine {
        let day = LocalDay(number: intake.facts.day).map { "\($0)" } ?? ""
        let facts = ["device": device, "profile": profile, "day": day]
        return LogLine(.info, "a daily backup of another device was copied", facts)
    }

    static func wrongCopy(of device: String, _ profile: String) -> LogLine {
        LogLine(
            .warning, "a daily backup of another device is not what it said, and was not kept",
            ["device": device, "profile": profile])
    }
}
