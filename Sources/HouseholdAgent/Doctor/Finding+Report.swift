import MergeCore
import ProfileKeeping
import SyncProtocol

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
        case .searchTrouble(let sentence, let isMulticast):
            .fault(
                isMulticast ? "multicast" : "discovery", nil, sentence, isMulticast ? "sudo ufw allow 5353/udp" : nil)
        case .removed(let sentence): .fault("household", nil, sentence, "hearth pair")
        case .alone:
            .fault(
                "household", nil,
                "this machine is in no household yet; show a code here, and type it on the other machine",
                "hearth pair")
        case .other(let sentence): .fault("other", nil, sentence)
        case .connected, .clock, .silent, .unseen, .unreached, .failed, .stranger, .turnedAway: machineReport
        case .decision, .paused, .held, .file, .backup, .behind, .savesWork: saveReport
        }
    }

    private var machineReport: FindingReport {
        switch self {
        case .connected(let name, let address, let version, let isSeen):
            return .well(
                "connected", name,
                "it is connected at \(address), by version \(version) of the protocol"
                    + (isSeen == false ? ", though nothing is seen of it by multicast" : ""))
        case .clock(let name, let ahead):
            let what = "its clock is \(Self.span(ahead)) \(ahead > .zero ? "ahead of" : "behind") this machine's"
            return .fault(
                "clock", name,
                "\(what), or was when they were connected, so the later of two changes may lose; set the clock that is "
                    + "wrong, on its machine, and start the agent there again",
                "timedatectl set-ntp true")
        case .silent(let name, let address):
            return .fault(
                "silent", name,
                "it was connected at \(address) but does not answer: it sleeps, or the network is gone; wake it",
                Self.ping(address))
        case .unseen(let name, let last, let isSearched): return Self.unseen(name, last, isSearched)
        case .unreached(let name, let address, let fault, let isOutside):
            return Self.unreached(name, address, fault, isOutside)
        case .failed(let name, let address, let reason):
            return .fault(
                "link", name, "it cannot be reached at \(address): \(Self.bare(reason)); look there with",
                "hearth doctor")
        case .stranger(let name, let address):
            return .fault(
                "key", name,
                "at \(address) a machine answers that is not in the household; if it is \(name) with a new home, show a "
                    + "code there and pair it again",
                "hearth pair CODE")
        case .turnedAway(let name, let address, let reason):
            let what = "it answers at \(address), but the link ended: \(Self.bare(reason))"
            if ProtocolVersion.isMismatch(reason) { return .fault("version", name, what, "hearth --version") }
            return .fault(
                "link", name, "\(what); if it does not list this machine, pair the two again; it says so with",
                "hearth devices")
        default: preconditionFailure("\(self) is not about a machine")
        }
    }

    private static func unseen(_ name: String, _ last: PeerAddress?, _ isSearched: Bool) -> FindingReport {
        let moved = last.map { "another machine answers at \($0), where it was last" }
        let what =
            isSearched
            ? (moved.map { "\($0), and " } ?? "")
                + "nothing announces it in this network; start its agent, and if both are in one network and multicast "
                + "does not get through, stop the agent here and name its address"
            : (moved ?? "no address of it is known")
                + ", and other machines cannot be looked for; start its agent, stop the one here and name its address"
        return .fault("unseen", name, what, "hearth agent --peer HOST:PORT")
    }

    private static func unreached(
        _ name: String, _ address: PeerAddress, _ fault: DialFault, _ isOutside: Bool
    ) -> FindingReport {
        switch fault {
        case .refused:
            .fault(
                "refused", name,
                "nothing listens at \(address), or a firewall refuses it; start the agent on that machine",
                "hearth agent")
        case .noAnswer where !isOutside:
            .fault(
                "noAnswer", name,
                "nothing answers at \(address); switch that machine on, or let its firewall pass the port, there with",
                "sudo ufw allow \(address.port)/tcp")
        case .noAnswer, .unreachable:
            .fault(
                isOutside ? "elsewhere" : "noAnswer", name,
                isOutside
                    ? "nothing answers at \(address), which is in another subnet than this machine; bring both into one "
                        + "network, or let the router pass the port"
                    : "\(address) cannot be reached; switch that machine on, or let its firewall pass the port; whether "
                        + "it is there at all, this says",
                ping(address))
        case .noNetwork, .noAddress:
            .fault(
                "noNetwork", name, "no network of this machine leads to \(address); connect this machine", "ip address")
        case .otherProtocol:
            .fault(
                "version", name, "at \(address) another version of Hearth answers; update Hearth on the older machine",
                "hearth --version")
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
        case .savesWork(0): return .well("saves", nil, "no save is kept yet; add one with 'hearth add FILE'")
        case .savesWork(let count):
            return .well(
                "saves", nil, "nothing keeps \(count == 1 ? "the save" : "the \(count) saves") from being in step here")
        default: preconditionFailure("\(self) is not about a save")
        }
    }

    // MARK: Words

    private static func ping(_ address: PeerAddress) -> String { "ping -c 3 \(ShellWord.quoted(address.host))" }

    /// A sentence without its full stop, to be continued.
    private static func bare(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// A duration in its largest unit, such as "2 h". Another machine's clock may show anything.
    private static func span(_ duration: Duration) -> String {
        let minutes = (duration.wholeMilliseconds.magnitude + 30_000) / 60_000
        if minutes < 120 { return "\(minutes) min" }
        return minutes < 48 * 60 ? "\(minutes / 60) h" : "\(minutes / 1_440) days"
    }
}

extension FindingReport {
    fileprivate static func well(_ kind: String, _ about: String?, _ sentence: String) -> FindingReport {
        FindingReport(kind: kind, ok: true, about: about, sentence: sentence, command: nil)
    }

    fileprivate static func fault(
        _ kind: String, _ about: String?, _ sentence: String, _ command: String? = nil
    ) -> FindingReport {
        FindingReport(kind: kind, ok: false, about: about, sentence: sentence, command: command)
    }
}
