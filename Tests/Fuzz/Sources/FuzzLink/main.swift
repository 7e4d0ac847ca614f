import FuzzSupport

Fuzzing.run(LinkOracle.fault)
