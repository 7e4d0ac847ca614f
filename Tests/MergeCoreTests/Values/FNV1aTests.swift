import MergeCore
import Testing

@Suite struct FNV1aTests {
    /// Of the test suite of the hash's authors (draft-eastlake-fnv, appendix C). Hashes are stored and sent, so they
    /// must stay as they are.
    @Test(arguments: [
        ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ])
    func theHashIsTheAuthors(_ text: String, _ hash: UInt64) {
        #expect(FNV1a(text.utf8).value == hash)
    }

    @Test func whatIsAddedInPartsIsOneWhole() {
        var hash = FNV1a(Array("foo".utf8))
        hash.add(UInt8(ascii: "b"))
        hash.add("ar".utf8)
        #expect(hash == FNV1a("foobar".utf8))
    }
}
