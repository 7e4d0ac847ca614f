import FuzzSupport

Fuzzing.run(PairingOracle.fault)
