/// Which writes may bear a wrong date, because the clock of a device was wrong.
struct WrongClocks {
    /// The devices whose clock was wrong at some time of the round.
    var devices: Set<Int> = []
    /// The places that games of such devices saved in earlier rounds. A later write has a later date than what it
    /// replaces, so one wrong date makes those after it wrong.
    private(set) var places: Set<SavePlace> = []
    /// Whether that may be any place: a player undid, reset or restored while a clock was wrong.
    private(set) var isAnyPlace = false

    /// Whether what these devices wrote at a place in this round has the dates at which they wrote it.
    func areRight(_ place: SavePlace, _ writers: Set<Int>) -> Bool {
        !isAnyPlace && devices.isDisjoint(with: writers) && !places.contains(place)
    }

    /// Which writes may bear a wrong date in the round that comes after `round`.
    ///
    /// - Parameter devices: The devices whose clock is still wrong.
    func after(_ round: Round, _ devices: Set<Int>) -> WrongClocks {
        var next = self
        next.devices = devices
        guard !self.devices.isEmpty else { return next }
        if !round.acts.isEmpty { next.isAnyPlace = true }
        for play in round.plays where self.devices.contains(play.device) {
            let (read, written) = (play.read.leaves, play.written.leaves)
            next.places.formUnion((written.unlike(read) + read.unlike(written)).map(\.place))
        }
        return next
    }
}
