import SampleSaves
import TestSupport
import Testing

/// Saves like those of real games on two real agents. Both sides play at once, both files get everything, and no byte
/// differs that no edit touched.
extension LiveAgents {
    @Suite struct RealSaveTests {
        struct Case: Sendable, CustomTestStringConvertible {
            var sample: SampleSave
            /// The replacements on each side, and the text that both files have at the end.
            var a: (String, String)
            var b: (String, String)
            var both: [(String, String)]

            var testDescription: String { "\(sample)" }

            init(_ sample: SampleSave) {
                self.sample = sample
                switch sample.kind {
                case .statistics:
                    a = (#""minecraft:jump":973"#, #""minecraft:jump":1000"#)
                    b = (#""minecraft:jump":973"#, #""minecraft:jump":980"#)
                    both = [(#""minecraft:jump":973"#, #""minecraft:jump":1007"#)]
                case .advancements:
                    a = (#""has_planks": "2021-12-11 13:02:15 -0600""#, #""has_planks": "2021-12-11 13:02:14 -0600""#)
                    b = (
                        #""crying_obsidian": "2021-12-12 10:05:33 -0600""#,
                        #""crying_obsidian": "2021-12-12 10:05:30 -0600""#
                    )
                    both = [a, b]
                case .incremental:
                    a = (#""realities":39437102.28012811"#, #""realities":39437105.28012811"#)
                    b = (#""perkPoints":35475217.00414753"#, #""perkPoints":35475222.00414753"#)
                    both = [a, b]
                }
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: SampleSave.all.map(Case.init))
        func bothSidesOfARealSaveComeTogether(_ real: Case) async throws {
            let original = String(decoding: real.sample.bytes, as: UTF8.self)
            let couple = try await Couple.paired()
            defer { couple.clear() }
            for machine in [couple.a, couple.b] { Disk.replace(machine.save, with: Array(original.utf8)) }
            let added = try await couple.a.ask(
                "add", couple.a.save, "--rules", real.sample.rulesPath, "--name", "real", "--json")
            #expect(added.code == 0, "\(added.errors)")
            let restored = try await couple.b.ask("restore", "real", "--to", couple.b.save, "--yes", "--json")
            #expect(restored.code == 0, "\(restored.errors)")

            for (machine, edit) in [(couple.a, real.a), (couple.b, real.b)] {
                let edited = original.replacingOnce(edit.0, edit.1)
                #expect(edited != original)
                Disk.replace(machine.save, with: Array(edited.utf8))
            }
            let expected = real.both.reduce(original) { $0.replacingOnce($1.0, $1.1) }
            let together = try await poll {
                [couple.a, couple.b].allSatisfy { Disk.text($0.save) == expected } ? true : nil
            }
            #expect(together == true, "the files are not what both sides come to")
        }
    }
}

extension String {
    /// Replaces the first occurrence of `old`, compared by bytes.
    fileprivate func replacingOnce(_ old: String, _ new: String) -> String {
        let (bytes, wanted) = (Array(utf8), Array(old.utf8))
        guard wanted.count <= bytes.count else { return self }
        for start in 0...(bytes.count - wanted.count) where bytes[start] == wanted[0] {
            guard bytes[start..<start + wanted.count].elementsEqual(wanted) else { continue }
            return String(decoding: bytes[..<start] + Array(new.utf8) + bytes[(start + wanted.count)...], as: UTF8.self)
        }
        return self
    }
}
