import MergeCore
import ProfileKeeping
import SyncProtocol

/// The words of what is found of another machine.
extension Finding {
    var machineReport: FindingReport {
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
        case .notStored(let name, .here):
            return .fault(
                "link", name,
                "the link to it ended, because what it sends cannot be stored here; once it can be, they meet by "
                    + "themselves; whether this machine's disk is full, this says",
                "df -h")
        case .notStored(let name, .there):
            return .fault(
                "link", name,
                "it ended the link, because it cannot store what comes in; make room on its disk, or see there what "
                    + "keeps it from writing, with",
                "hearth doctor")
        case .named(let address, let why):
            return .fault(
                "peer", nil,
                "at \(address), which was named when the agent was started, \(why); check that address, there with",
                "hearth doctor")
        default: preconditionFailure("\(self) is not about a machine")
        }
    }

    private static func unseen(_ name: String, _ last: PeerAddress?, _ isSearched: Bool) -> FindingReport {
        let moved = last.map { "another machine answers at \($0), where it was last" }
        let what =
            isSearched
            ? (moved.map { "\($0), and " } ?? "")
                + "nothing announces it in this network; where it is gone for good, remove it with 'hearth unpair'; else "
                + "start its agent, and if both are in one network and multicast does not get through, stop the agent here "
                + "and name its address"
            : (moved ?? "no address of it is known")
                + ", and other machines cannot be looked for; where it is gone for good, remove it with 'hearth unpair'; else "
                + "start its agent, stop the one here and name its address"
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
                "version", name,
                "at \(address) a Hearth answers that speaks no version that this one knows; of \(name) and this machine, "
                    + "update the one where this says the lower number",
                "hearth --version")
        }
    }

    /// Says how the last dial of an address ended, in words that follow "at that address"; `nil` where a device of the
    /// household answered, or nobody dialled it yet.
    static func words(_ outcome: DialPlan.Outcome?) -> String? {
        switch outcome {
        case .reached?, nil: nil
        case .stranger?: "a machine answers that is not in the household"
        case .failed(let reason)?:
            switch DialFault(rawValue: reason) {
            case .refused?: "nothing listens"
            case .noAnswer?, .unreachable?: "nothing answers"
            case .noNetwork?, .noAddress?: "nothing can be reached from this machine's network"
            case .otherProtocol?: "a Hearth answers that speaks no version that this one knows"
            case nil: "no link was made: \(bare(reason))"
            }
        }
    }

    // MARK: Words

    private static func ping(_ address: PeerAddress) -> String { "ping -c 3 \(ShellWord.quoted(address.host))" }

    /// A duration in its largest unit, such as "2 h". Another machine's clock may show anything.
    private static func span(_ duration: Duration) -> String {
        let minutes = (duration.wholeMilliseconds.magnitude + 30_000) / 60_000
        if minutes < 120 { return "\(minutes) min" }
        return minutes < 48 * 60 ? "\(minutes / 60) h" : "\(minutes / 1_440) days"
    }
}
