import Testing

/// Real agents, as processes of their own, on the loopback interface. One test at a time: they measure what a machine
/// does under load, and the load should be theirs.
@Suite(.serialized, .enabled(if: HearthProcess.isBuilt, "the built hearth is not beside the tests"))
enum LiveAgents {}
