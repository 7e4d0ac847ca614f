import SyncProtocol

extension Pairing {
    /// An effect that the rest of the agent carries out.
    enum Effect {
        case transport(TransportAction)
        /// Dial an address to look for the device that shows the typed code; answered with
        /// ``Pairing/dialling(_:for:as:)``.
        case dial(RequestID, PeerAddress)
        /// Store the pin and the household in one transaction; answered with ``Pairing/stored(_:as:now:)`` or
        /// ``Pairing/notStored(_:now:)``.
        case store(ConnectionID, PairingResult, typedAt: PeerAddress?)
        /// The other device has stored its result as well and sends these statements, to be merged into the roster.
        case merge([RosterStatement])
        case reply(RequestID, AgentReply)
        case log(LogLine)
    }
}
