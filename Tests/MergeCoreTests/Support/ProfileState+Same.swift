@testable import MergeCore

extension ProfileState {
    /// Whether both cover the same and hold the same atoms, whatever came first; for states whose rules name no version.
    func holdsTheSame(as other: ProfileState) -> Bool {
        vector == other.vector && atomCount == other.atomCount
            && writtenAtoms.allSatisfy { other.atom($0.key) == $0.atom }
    }
}
