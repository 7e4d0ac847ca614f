import MergeCore
import ProfileKeeping
import SyncProtocol

/// A question about the copies on the disk. The rest of the agent answers it with a ``DiskAnswer``.
enum DiskQuestion: Hashable {
    /// Which copies are kept of a profile?
    case copies(of: ProfileID)
    /// How much room does the disk have?
    case room
    /// How many bytes do all copies of a device take up?
    case size(of: DeviceID)
}

/// The answer to a ``DiskQuestion``.
enum DiskAnswer {
    case copies([StoredCopy])
    case room(DiskRoom)
    case size(Int64)
    case failed(StorageFault)
}

/// The search for the copy that is fetched next over a link, while an answer about the disk is awaited.
struct CopySearch {
    /// A copy that may be fetched next.
    struct Candidate {
        let intake: CopyIntake
        /// Whether the copy was chosen before, so that it is counted as begun already.
        let isBegun: Bool
        /// The bytes by which the device's copies grow with it.
        let growth: Int64

        init(_ intake: CopyIntake, isBegun: Bool, of owner: DeviceID, in kept: [StoredCopy]) {
            (self.intake, self.isBegun) = (intake, isBegun)
            growth =
                LocalDay(number: intake.facts.day).map {
                    CopyPlan.growth(intake.facts.size, on: $0, of: owner, in: kept)
                } ?? 0
        }
    }

    /// The answer that is awaited, and what is known until then.
    enum Step {
        /// The copies of a profile that are kept: to find the oldest listed one that is missing.
        case missing(ProfileID)
        /// The copies of a profile that are kept: to find the room for a copy that was chosen before.
        case begun(CopyIntake)
        case room(Candidate)
        case size(Candidate)
    }

    let link: ConnectionID
    let owner: DeviceID
    var step: Step

    /// The question whose answer is awaited.
    var question: DiskQuestion {
        switch step {
        case .missing(let profile): .copies(of: profile)
        case .begun(let intake): .copies(of: intake.profile)
        case .room: .room
        case .size: .size(of: owner)
        }
    }
}

extension CopyPlan {
    /// The listed copies of a profile that have still to be copied, oldest first.
    ///
    /// - Parameters:
    ///   - kept: The copies of the profile on this device.
    ///   - today: The day here, where it is known.
    static func lacking(
        _ listed: [CopyFacts], of owner: DeviceID, in kept: [StoredCopy], today: LocalDay?
    ) -> [CopyFacts] {
        listed.filter { facts in
            LocalDay(number: facts.day).map { lacks($0, of: owner, in: kept, today: today) } ?? false
        }
    }
}
