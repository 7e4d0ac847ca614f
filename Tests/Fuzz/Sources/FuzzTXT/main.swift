import FuzzSupport

Fuzzing.run { TXTOracle.fault($0) ?? TagOracle.fault($0) }
