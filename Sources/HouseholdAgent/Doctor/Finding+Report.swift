import ProfileKeeping

extension Finding {
    /// The finding as it is shown.
    var report: FindingReport {
        switch self {
        case .agent(let port): .well("agent", nil, "the agent runs and listens on port \(port)")
        case .noAgent:
            .fault(
                "agent", nil, "no agent is running here, so nothing is kept in step; start one and leave it running",
                "hearth agent")
        case .otherAgent(let sentence):
            .fault(
                "version", nil,
                "the agent that runs here cannot be asked: \(Self.bare(sentence)); where it is of another version, stop it, "
                    + "and start it again",
                "hearth agent")
        case .silentAgent(let sentence):
            .fault(
                "agent", nil,
                "\(sentence): it hangs, or is busy with a large save; if it stays so, end that process and start it again",
                "hearth agent")
        case .homeWorks(let path): .well("home", nil, "files can be written in \(path)")
        case .home(let sentence): .fault("home", nil, sentence)
        case .record(let sentence): .fault("record", nil, sentence)
        case .disk(let sentence): .fault("disk", nil, sentence)
        case .littleRoom(let path, let free):
            .fault(
                "disk", nil,
                "only \(free >> 20) MB are free on the disk of \(path), too few for a large save; make room there",
                "df -h \(ShellWord.quoted(path))")
        case .roomEnough: .well("disk", nil, "there is room on every disk in use")
        case .searchIsOff: .well("discovery", nil, "other machines are not looked for here (--discovery off)")
        case .search(let backend, let seesItself):
            .well(
                "discovery", nil,
                "other machines are looked for (\(backend))"
                    + (seesItself == true ? "; this one has seen its own announcement" : ""))
        case .searchTrouble(let sentence, true, _): .fault("multicast", nil, sentence, "sudo ufw allow 5353/udp")
        case .searchTrouble(let sentence, false, let command): .fault("discovery", nil, sentence, command)
        case .removed(let sentence): .fault("household", nil, sentence, "hearth pair")
        case .alone:
            .fault(
                "household", nil,
                "this machine is in no household yet; show a code here, and type it on the other machine",
                "hearth pair")
        case .other(let sentence): .fault("other", nil, sentence)
        case .connected, .clock, .silent, .unseen, .unreached, .failed, .stranger, .turnedAway, .notStored, .named:
            machineReport
        case .decision, .paused, .held, .file, .backup, .behind, .said, .rules, .savesWork: saveReport
        }
    }

    private var saveReport: FindingReport {
        switch self {
        case .decision(let save, let sentence): return .fault("decision", save, sentence)
        case .paused(let save, let word):
            return .fault("paused", save, "its sync is paused here; go on", "hearth resume \(word)")
        case .held(let save, let game):
            return .fault(
                "held", save, "what came in is written when \(game) ends, which holds the file; end it, and look again",
                "hearth doctor")
        case .file(let save, let sentence): return .fault("file", save, sentence)
        case .backup(let save, let sentence): return .fault("backup", save, "no backup could be made: \(sentence)")
        case .behind(let save, let machines):
            let verbs = machines.count > 1 ? ("are", "lack", "their files do") : ("is", "lacks", "its file does")
            return .fault(
                "behind", save,
                "\(machines.joined(separator: ", ")) \(verbs.0) connected but \(verbs.1) some of it, or \(verbs.2) not "
                    + "show it; look there with",
                "hearth doctor")
        case .said(let save, let count):
            return .fault(
                "said", save,
                count == 1
                    ? "something was said of its last saves and is not read yet; read it with"
                    : "\(count) things were said of its last saves and are not read yet; read them with",
                "hearth status")
        case .rules(let save, let count):
            return .fault(
                "rules", save,
                "\(count == 1 ? "one of its rules does" : "\(count) of its rules do") not do what was meant; which, and why",
                "hearth status")
        case .savesWork(0): return .well("saves", nil, "no save is kept yet; add one with 'hearth add FILE'")
        case .savesWork(let count):
            return .well(
                "saves", nil, "nothing keeps \(count == 1 ? "the save" : "the \(count) saves") from being in step here")
        default: preconditionFailure("\(self) is not about a save")
        }
    }

    /// A sentence without its full stop, to be continued.
    static func bare(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}

extension FindingReport {
    static func well(_ kind: String, _ about: String?, _ sentence: String) -> FindingReport {
        FindingReport(kind: kind, ok: true, about: about, sentence: sentence, command: nil)
    }

    static func fault(
        _ kind: String, _ about: String?, _ sentence: String, _ command: String? = nil
    ) -> FindingReport {
        FindingReport(kind: kind, ok: false, about: about, sentence: sentence, command: command)
    }
}
