import TestSupport
import Testing

/// Tests with real agent processes on the loopback interface. They run one at a time, because they measure times under
/// load.
@Suite(.serialized, .enabled(if: BuiltProgram.hearth != nil, "the built hearth is not beside the tests"))
enum LiveAgents {}
