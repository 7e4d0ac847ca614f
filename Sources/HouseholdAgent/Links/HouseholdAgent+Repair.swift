import MergeCore
import ProfileKeeping
import SyncProtocol

/// Takes the writers' own word where it differs from what others said, and says what differs.
extension HouseholdAgent {
    /// Takes the writer's own word, once all that it holds has come and what this device lacked of it is joined.
    mutating func repair(by delta: IncomingDelta, from live: LiveLink, on id: ConnectionID, now: Moment) {
        let (profile, writer) = (delta.profile, live.peerKey)
        // One that came in one piece with the answer about the digests was not asked for.
        guard delta.isAskedFor, let asked = hearsayChecks.takeRepair(of: profile, on: id) else { return }
        hearsayChecks.wake()
        guard let held = engine.readable(profile) else { return }
        guard delta.isWhole else {
            hearsayChecks.cannotAnswer(asked.map(\.replica), on: id)
            hearsayChecks.stays(.notSent, of: writer.id, in: profile, now: now.monotonic)
            return logDifference("it has not sent all it has", of: writer, in: profile, now: now)
        }
        let spans = asked.filter { span in
            delta.to.sequence(of: span.replica) >= span.last
                && held.vector.sequence(of: span.replica) >= span.last
                && hearsay.spans(of: profile)[span.replica]?.span == span
        }
        guard !spans.isEmpty else { return }
        let relays = spans.flatMap { hearsay.spans(of: profile)[$0.replica]?.relays ?? [] }
        let (whose, through) = (name(of: writer), words(for: relays))
        let (known, quota, heard) = (origins, settings.quota, hearsay)
        // A made-up write may have replaced one of any device here, about which nobody would ask otherwise.
        let isNew = spans.contains { $0.after > 0 }
        let spreads = isNew ? true : hearsayChecks.maySpread(in: profile, now: now.monotonic)
        let others = spreads ? writesOfOthers(in: held.vector, besides: writer) : []
        do {
            let outcome = try engine.repair(
                profile, by: delta.atoms, from: live.link.peerVector(profile), spans: spans, own: ownReplicas(of: held),
                overfull: { former, new in
                    let own = Set(new.vector.entries.keys.filter { known[$0]?.device == writer })
                    return new.isBeyond(quota, by: own) && new.hasMore(of: own, than: former) ? own : []
                },
                notes: { differing in
                    differing.isEmpty ? NoteChange() : heard.notes(adding: others, through: relays, in: profile)
                },
                remark: { keys in
                    "some of what \(whose) wrote had come through \(through) and is not what \(whose) says "
                        + "(\(Self.places(held.state.places(of: keys)))): it was changed on the way, or the record of \(whose) was set back; "
                        + "what \(whose) says was taken"
                }, now: now)
            recordWorks()
            digestAnswers.changed(profile)
            if case .refused(let reason) = outcome {
                hearsayChecks.cannotAnswer(spans.map(\.replica), on: id)
                hearsayChecks.stays(.refused(reason), of: writer.id, in: profile, now: now.monotonic)
                return logDifference("what it says was not taken: \(reason)", of: writer, in: profile, now: now)
            }
            if case .repaired(let differing) = outcome, !differing.isEmpty {
                hearsay.add(others, through: relays, in: profile) { known[$0]?.device.id }
                log(
                    .warning, "what had come of a device's writes was not what it wrote; its own was taken",
                    about: writer,
                    ["save": held.name, "came through": through, "at": Self.places(held.state.places(of: differing))],
                    now: now)
            }
            endRepair(of: spans, by: delta, from: live)
            afterSettling { $0.askAgainForEpochs(of: profile, now: now) }
        } catch {
            note(error)
        }
    }

    /// Forgets those runs of which now the same is here as at the writer, but for what later writes replaced here.
    /// Something else can be here all the same: a write of the writer's that was replaced there by one that is left out
    /// here.
    private mutating func endRepair(of spans: [WriteSpan], by delta: IncomingDelta, from live: LiveLink) {
        guard let state = engine.readable(delta.profile)?.state else { return }
        let covered = live.link.peerVector(delta.profile)
        let mended = spans.filter { state.agrees(with: delta.atoms, on: $0, writer: covered) }
        forgetHearsay(mended.map(\.replica), in: delta.profile)
        if mended.count == spans.count { hearsayChecks.agreed(live.peerKey.id, in: delta.profile) }
    }

    /// All writes of other devices of the household that are neither this device's nor the writer's.
    private func writesOfOthers(in vector: VersionVector, besides writer: DeviceKey) -> [WriteSpan] {
        vector.entries.compactMap { replica, entry in
            guard let device = origins[replica]?.device, device != writer, device != signer.key,
                household.roster.contains(device)
            else { return nil }
            return WriteSpan(replica, after: 0, upTo: entry)
        }
    }

    private func ownReplicas(of held: KeptProfile) -> Set<ReplicaID> {
        Set(held.vector.entries.keys.filter { origins[$0]?.device == signer.key })
    }

    // MARK: Words

    /// The words of `status` about what is known to differ and was not mended, and about devices that do not answer.
    func hearsayTroubles(now: Moment) -> [String] {
        let differences = hearsayChecks.differences.compactMap { device, profile, cause -> String? in
            guard let held = engine.profiles[profile], let relays = relays(of: device, in: profile) else { return nil }
            let why: String
            switch cause {
            case .mending: return nil
            case .tooLarge: why = "the save is too large to be sent at once"
            case .notSent: why = "it did not send all it has"
            case .refused(let reason): why = "what it says was not taken: \(reason)"
            case .lasting: why = "it differs again and again"
            }
            return "\(held.name): some of what came of \(name(of: device)) through \(words(for: relays)) is not what "
                + "\(name(of: device)) says, and stays for now (\(why)); if you do not trust one of them, go on without "
                + "that device: hearth unpair"
        }
        let silent = hearsayChecks.unanswered(now: now.monotonic).compactMap { device, profile -> String? in
            guard let held = engine.profiles[profile], relays(of: device, in: profile) != nil else { return nil }
            return "\(held.name): \(name(of: device)) has not answered whether what came of it through other devices "
                + "is right; restart Hearth there"
        }
        return differences + silent
    }

    /// The devices through which writes of a member came that it did not confirm yet; `nil` where there are none.
    private func relays(of device: DeviceID, in profile: ProfileID) -> [DeviceID]? {
        guard household.roster.members.contains(where: { $0.id == device }),
            hearsay.concerns(device, in: profile)
        else { return nil }
        return hearsay.spans(of: profile).filter { origins[$0.key]?.device.id == device }.flatMap(\.value.relays)
    }

    /// The names of devices, as a choice.
    private func words(for devices: [DeviceID]) -> String {
        Set(devices).sorted().map { name(of: $0) }.joined(separator: " or ")
    }

    private static func places(_ places: [DocumentPath]) -> String {
        let more = places.count > 3 ? " and \(places.count - 3) more" : ""
        return places.prefix(3).map(\.description).joined(separator: ", ") + more
    }
}
