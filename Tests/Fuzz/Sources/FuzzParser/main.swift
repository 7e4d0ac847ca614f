import FuzzSupport

Fuzzing.run(Fuzzing.parser)
