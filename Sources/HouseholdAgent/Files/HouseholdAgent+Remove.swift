import MergeCore
import ProfileKeeping

/// A save that is not kept on this machine any more. The household keeps it.
extension HouseholdAgent {
    mutating func remove(_ call: Call<RemoveRequest>, _ name: String) {
        guard let profile = one(named: name, for: call.id) else { return }
        if releasedFiles.contains(profile) {
            releasedFiles.acknowledged(profile)
            return answer(call) { ForgottenProfile(profile: $0.report(profile)) }
        }
        guard engine.profiles[profile]?.file.path != nil else {
            return fail(
                call.id, .failed,
                "\(name) has no file on this device; it is only kept and passed on here; to forget it on every device: "
                    + "hearth forget \(engine.word(profile))")
        }
        do {
            try engine.unbind(profile)
            answer(call) { ForgottenProfile(profile: $0.report(profile)) }
        } catch {
            fail(call.id, .failed, "\(error)")
        }
    }
}
