import HouseholdAgent

/// What the backend saw.
extension DiscoveryLoop: InstanceSink {
    func sighted(_ name: String, at place: InstanceTable.Place) -> InstanceTable.Sighting {
        let sighting = table.sighted(name, at: place)
        if case .own = sighting, name == unseen {
            unseen = nil
            schedule.ownSighting = nil
            if let backend, lastTrouble != nil {
                // The announcement is seen now, so the agent is told that discovery works.
                lastTrouble = nil
                tell(.running(backend: backend.name, interfaces: interfaces))
            }
            tell(.seesItself(true))
        }
        return sighting
    }

    func vanished(_ name: String, at place: InstanceTable.Place) -> Bool { table.vanished(name, at: place) }

    func described(_ name: String, at place: InstanceTable.Place, port: UInt16) {
        table.described(name, at: place, port: port)
    }

    func described(_ name: String, txt: TXTStrings.Reading) {
        if txt.wasCut {
            note("an instance with more than \(TXTStrings.largestRecord) bytes of TXT: the rest is left out")
        }
        table.described(name, txt: txt.pairs)
    }

    func address(_ address: String, of name: String, at place: InstanceTable.Place, isThere: Bool) {
        guard isThere else { return table.disappeared(address, of: name, at: place) }
        guard network.isNear(address, on: place.interface) else {
            return note("an instance has an address of a network that its interface is not in: it is not dialled")
        }
        table.appeared(address, of: name, at: place)
    }

    func standing(of name: String) -> InstanceStanding { table.standing(of: name) }

    /// The agent takes another name then.
    func nameIsTaken() { tell(.seesItself(false)) }

    func isPublished(as name: String) {
        // A responder that found the name taken has changed it. The tag is bound to the name, so another one is needed.
        if let published, name != published.instance { nameIsTaken() }
        if unseen == published?.instance, unseen != nil { unseen = name }
        if published != nil { shownAs = name }
        table.addOwn(name)
    }

    func note(_ sentence: String) { table.note(sentence) }
}
