import FuzzSupport

Fuzzing.run(StateOracle.fault(stored:))
