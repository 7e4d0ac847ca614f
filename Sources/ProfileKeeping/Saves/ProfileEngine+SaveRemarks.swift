import LosslessJSON
import MergeCore

/// What is kept of a save that was read, and what the player is told about it.
extension ProfileEngine {
    /// Keeps, as backups, what a save took the place of and what it holds that does not count; and says of a save, wherever
    /// it was found, what the player is to know: the question that it raises, or the guess that it rests on.
    ///
    /// - Parameter former: What the game had saved, or Hearth had written, before.
    mutating func keepAndSay(
        _ taken: IngestedSave, of bytes: [UInt8], since former: [UInt8]?, _ profile: inout KeptProfile, now: Moment
    ) throws(StorageFault) {
        var time = now.wall
        if taken.isQuestion || taken.isConverted || taken.isReset, let former {
            try keepBackup(former, of: &profile, now: time)
            time = time + .milliseconds(1)
        }
        if !taken.lost.isEmpty || !taken.overridden.isEmpty {
            try keepBackup(bytes, of: &profile, .putAside, now: time)
        } else if taken.isQuestion || taken.isConverted || taken.leftOut != nil {
            try keepBackup(bytes, of: &profile, now: time)
        }
        if let left = taken.leftOut { remark(leftOut: left.places, by: left.evidence, &profile) }
        if let question = taken.question {
            ask(question, of: bytes, &profile)
        } else if let projection = taken.projection {
            profile.notices.setAside?.goneOn(isKnown: projection == .known)
        }
    }

    /// Tells the player at which places progress was put aside. The remark stays until the player answers it.
    func remark(overridden places: Set<DocumentPath>, _ profile: inout KeptProfile) {
        for place in places.sorted().prefix(SaveNotices.limit) {
            profile.notices.say(.overridden, about: place.description, place.description)
        }
    }

    /// Tells the player which state the game was guessed to have read, and which places lost if that is wrong. The remark
    /// stays until the player answers it.
    ///
    /// - Parameters:
    ///   - isSetAside: Whether the save does not count, so that nothing is lost by the guess.
    ///   - doubtful: The places that another state leads to other values at. They are named where none lost something.
    func remark(
        on choice: BaseChoice, isNewest: Bool, isSetAside: Bool = false, at doubtful: Set<DocumentPath> = [],
        _ profile: inout KeptProfile
    ) {
        // What is called likely is wrong so seldom (WhoWroteIt has the figures) that saying it would hide real guesses.
        guard choice.evidence.certainty == .guess else { return }
        // A save that equals an older state changes nothing, and is a guess as well: it may be what was just played.
        guard !choice.diff.changes.isEmpty || !isNewest || choice.isOrderUnread else { return }
        let words = isSetAside ? choice.evidence.description : choice.words
        let places = choice.lostIfWrong.isEmpty ? doubtful.sorted() : choice.lostIfWrong
        profile.notices.say(
            .guessed, about: words, words, places: isSetAside || places.isEmpty ? nil : SaveNotices.named(places))
    }

    /// Tells the player that a save was exactly what had come in, so that it is taken for a copy of that.
    ///
    /// - Parameter places: The counters that had risen or fallen with what came in.
    func remark(onRepeat places: [DocumentPath], _ profile: inout KeptProfile) {
        let named = SaveNotices.named(places)
        let words =
            "guessed: it holds exactly what had come in, so it was taken for a copy of that, though no program here has "
            + "opened it (if that is wrong, what the game earned or spent at \(named) counts only with its next save)"
        profile.notices.say(.takenForCopy, about: words, words, places: named)
    }

    /// Tells the player what of a save does not count because of a guess. The save is among the backups, and stays there
    /// until the player answers.
    ///
    /// - Parameters:
    ///   - places: The places of the save that do not count.
    ///   - evidence: What the guess rests on, in words.
    func remark(leftOut places: [DocumentPath], by evidence: String, _ profile: inout KeptProfile) {
        let named = SaveNotices.named(places)
        let words =
            "\(evidence); what the save holds at \(named) does not count by that, and the save is in the backups"
        let backup = (try? files.backups(of: profile.id))?.last?.name
        profile.notices.say(.leftOut, about: "\(evidence) \(named)", words, places: named, backup: backup)
    }

    /// Tells the player which values the game lowered and their rule kept. The remark stays until it is settled.
    func remark(on lowered: [SaveMeaning.Lowered], _ profile: inout KeptProfile) {
        for place in lowered.prefix(SaveNotices.limit) {
            profile.notices.say(
                .lowered, about: place.path.description,
                "\(place.words), and the rule \(place.rule.merge.rawValue) keeps what was there")
        }
    }

    /// Tells the player which rules of this device lost against those of another one. The remark stays until it is settled.
    func remark(lost rules: [String], _ profile: inout KeptProfile) {
        for rule in rules.prefix(SaveNotices.limit) { profile.notices.say(.rulesLost, about: rule, rule) }
        profile.notices.forget(rulesInForce: Set(profile.state.rules.words))
    }

    /// Tells the player which places rules of another device keep on each device from now on, and drops what was said of
    /// places that are in step again. A place that no rule was about is named only where most of the save is kept so: a
    /// volume or a window's size is rightly each device's own. The remark stays until it is settled.
    func remark(madeLocalSince former: RuleSet?, _ profile: inout KeptProfile) {
        guard let save = profile.baseHistory.newest.flatMap({ profile.document($0) }) else { return }
        let now = RuleReach(of: profile.state.rules, in: save).places
        let local = now.filter { $0.value.merge == .local }.map(\.key)
        profile.notices.forget(madeLocalBut: OverlappingPlaces(local))
        guard let former, !local.isEmpty else { return }
        let before = RuleReach(of: former, in: save).places.filter { $0.value.merge != .local }
        let all = OverlappingPlaces(before.keys)
        let ruled = OverlappingPlaces(before.filter { $0.value != .standard }.keys)
        let moved = local.filter(all.touches)
        let said = moved.count * 2 > now.count ? moved : moved.filter(ruled.touches)
        for place in said.sorted().prefix(SaveNotices.limit) { profile.notices.say(.madeLocal, about: place, place) }
    }

    /// Tells the player at which counters the save holds another amount than what counts. The remark stays until it is
    /// settled.
    func remark(uncounted places: Set<DocumentPath>, _ profile: inout KeptProfile) {
        for place in places.sorted().prefix(SaveNotices.limit) {
            profile.notices.say(.uncounted, about: place.description, place.description)
        }
    }

    /// Tells the player where the game wrote what the rule does not take, and what was there was put back. The remark
    /// stays until it is settled.
    func remark(onPutBack places: [UnreadableLeaf], _ profile: inout KeptProfile) {
        for place in places.prefix(SaveNotices.limit) {
            profile.notices.say(.notRead, about: place.path.description, "\(place.path) (\(place.reason))")
        }
    }
}

extension BaseChoice {
    /// What the choice rests on, and for a guess the places that lost something if it is wrong.
    var words: String {
        guard !lostIfWrong.isEmpty else { return evidence.description }
        return "\(evidence) (if that is wrong, something was lost at \(SaveNotices.named(lostIfWrong)))"
    }
}
