import FuzzSupport

Fuzzing.run(RuleFileOracle.fault)
