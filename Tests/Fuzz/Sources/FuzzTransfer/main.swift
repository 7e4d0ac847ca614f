import FuzzSupport

Fuzzing.run(TransferOracle.fault)
