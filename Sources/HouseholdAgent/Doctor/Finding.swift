/// What `hearth doctor` can find. ``report`` has the words.
enum Finding: Hashable, Sendable {
    // MARK: This machine

    /// The agent runs, and listens on this port.
    case agent(UInt16)
    case noAgent
    /// An agent that cannot be asked, and what it said or why not.
    case otherAgent(String)
    /// An agent that runs and does not answer at all.
    case silentAgent(String)
    /// Files can be written in Hearth's folder.
    case homeWorks(String)
    /// The home cannot be used; the sentence says what to do, as those below.
    case home(String)
    case record(String)
    /// The room on a disk could not be found out.
    case disk(String)
    case littleRoom(path: String, free: Int64)
    case roomEnough
    case searchIsOff
    /// This backend looks for other machines. Whether it has seen its own announcement is not always known.
    case search(String, seesItself: Bool?)
    /// - Parameter command: The one to begin with, where discovery knows it.
    case searchTrouble(String, isMulticast: Bool, command: String?)
    case removed(String)
    case alone
    case other(String)

    // MARK: Another machine

    /// - Parameter isSeen: Whether discovery shows it; `nil` where nobody looks.
    case connected(String, at: PeerAddress, version: UInt32, isSeen: Bool?)
    /// Its clock is ahead of this machine's, or behind.
    case clock(String, ahead: Duration)
    case silent(String, at: PeerAddress)
    /// Discovery does not show it, and no address of it is known, or only one at which another machine is now.
    case unseen(String, last: PeerAddress?, isSearched: Bool)
    /// No dial reached it.
    case unreached(String, at: PeerAddress, DialFault, isOutside: Bool)
    case failed(String, at: PeerAddress, String)
    /// A device answers that is not in the household.
    case stranger(String, at: PeerAddress)
    /// It answered, but the link ended for this reason.
    case turnedAway(String, at: PeerAddress, String)
    /// The link to it ended, because this machine or that one cannot store what comes in.
    case notStored(String, StorageEnd)

    /// Nobody of the household was reached at an address that the player named, for this reason.
    case named(PeerAddress, String)

    // MARK: A save

    case decision(String, String)
    /// - Parameter word: The word by which commands name the save.
    case paused(String, word: String)
    case held(String, game: String)
    case file(String, String)
    case backup(String, String)
    case behind(String, machines: [String])
    /// - Parameter count: Questions and remarks about its last saves.
    case said(String, count: Int)
    /// So many of its rules match nothing, or do not do what they say.
    case rules(String, count: Int)
    /// So many saves are kept here, and nothing keeps them from being in step.
    case savesWork(Int)
}
