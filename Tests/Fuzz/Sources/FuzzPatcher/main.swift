import FuzzSupport

Fuzzing.run(Fuzzing.patcher)
