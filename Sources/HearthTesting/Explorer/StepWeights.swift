/// How often each kind of step comes in a random run, set against the others. A kind of weight 0 never comes.
public struct StepWeights: Hashable, Sendable {
    /// A game plays and saves.
    public var play = 40
    /// A game that still runs saves from memory, whatever its file holds by then.
    public var overwrite = 6
    /// A game that still runs saves from memory while Hearth is writing to the disk. This tests Hearth more than the rules
    /// of a game, so it is off unless it is set.
    public var overwriteAmid = 0
    /// Time passes.
    public var wait = 20
    /// Two devices lose their network; two devices whose bytes are lost without a word.
    public var partition = 8, silence = 3
    /// Nothing of a device gets through to another one, while what that one sends arrives.
    public var silenceOneWay = 3
    /// All networks come back.
    public var heal = 5
    /// A device loses its power between two of its acts, or in the middle of one; it starts again.
    public var crash = 4, crashInDiskStep = 5, start = 6
    /// A device starts with an old record.
    public var rollBack = 1
    /// A device starts without its record, and joins the household again.
    public var loseRecord = 1, joinAgain = 4
    /// The whole disk of a device is copied onto another one. Copies take each other's links over again and again, so a run
    /// takes longer with them; they are off unless this is set.
    public var copy = 0
    /// A device sleeps, and wakes.
    public var sleep = 3, wake = 5
    /// The disk of a device is full, and has room again.
    public var fillDisk = 2, freeDisk = 4
    /// The disk of a device can only be read, and can be written again.
    public var readOnlyDisk = 2, writableDisk = 4
    /// A device's clock is set, by up to a day.
    public var clock = 2
    /// The player undoes a step, resets a part, or puts a backup back.
    public var undo = 1, reset = 1, restore = 1

    /// The weights that find most in little time.
    public init() {}

    /// Play on devices that lose their network and get it back: without other faults, and without the player's other acts.
    public static var playOnly: StepWeights {
        var weights = StepWeights()
        (weights.overwrite, weights.overwriteAmid, weights.silence, weights.silenceOneWay) = (0, 0, 0, 0)
        (weights.crash, weights.crashInDiskStep) = (0, 0)
        (weights.rollBack, weights.fillDisk, weights.clock) = (0, 0, 0)
        (weights.loseRecord, weights.joinAgain, weights.copy) = (0, 0, 0)
        (weights.sleep, weights.wake) = (0, 0)
        (weights.readOnlyDisk, weights.writableDisk) = (0, 0)
        (weights.undo, weights.reset, weights.restore) = (0, 0, 0)
        return weights
    }
}
