import LANTransport
import Libc
import Testing

// The C function, under a name that no method here hides.
private let put = write

struct CredentialsTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private func write(_ text: String, to path: String, mode: mode_t = 0o600) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        defer { close(descriptor) }
        #expect(put(descriptor, text, text.utf8.count) == text.utf8.count)
        #expect(fchmod(descriptor, mode) == 0)
    }

    private func code(_ body: () throws -> Void) -> (CredentialsError.Code, String)? {
        do {
            try body()
            return nil
        } catch let error as CredentialsError {
            return (error.code, error.message)
        } catch {
            return nil
        }
    }

    @Test func firstStartMakesAPrivateFileAndLaterOnesKeepTheKey() throws {
        try withFolder { folder in
            let first = try DeviceCredentials.loadOrCreate(in: folder)
            #expect(mode(folder + "/device.key") == 0o600)
            #expect(mode(folder + "/device.key.new") == nil)
            #expect(first.publicKey.count == 91)
            let second = try DeviceCredentials.loadOrCreate(in: folder)
            #expect(second.publicKey == first.publicKey)
            #expect(
                DeviceCredentials.isValid(
                    signature: second.signature(for: [1, 2, 3]),
                    for: [1, 2, 3],
                    key: first.publicKey
                )
            )
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o610, 0o660, 0o602] as [mode_t])
    func aKeyOthersHaveRightsOnIsRefused(mode: mode_t) throws {
        try withFolder { folder in
            _ = try DeviceCredentials.loadOrCreate(in: folder)
            #expect(chmod(folder + "/device.key", mode) == 0)
            let failure = code { _ = try DeviceCredentials.loadOrCreate(in: folder) }
            #expect(failure?.0 == .openToOthers)
            #expect(failure?.1.contains("chmod 600 \(folder)/device.key") == true)
            #expect(chmod(folder + "/device.key", 0o400) == 0)
            #expect(throws: Never.self) { try DeviceCredentials.loadOrCreate(in: folder) }
        }
    }

    @Test func whatIsNoKeyIsRefusedAndLeftAlone() throws {
        for text in ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            try withFolder { folder in
                write(text, to: folder + "/device.key")
                #expect(code { _ = try DeviceCredentials.loadOrCreate(in: folder) }?.0 == .notAKey)
                #expect(mode(folder + "/device.key") == 0o600)
            }
        }
        try withFolder { folder in
            write(String(repeating: "x", count: 100_000), to: folder + "/device.key")
            #expect(code { _ = try DeviceCredentials.loadOrCreate(in: folder) }?.0 == .unreadable)
        }
        try withFolder { folder in
            #expect(mkdir(folder + "/device.key", 0o700) == 0)
            #expect(code { _ = try DeviceCredentials.loadOrCreate(in: folder) }?.0 == .unreadable)
        }
        try withFolder { folder in
            #expect(mkfifo(folder + "/device.key", 0o600) == 0)
            #expect(code { _ = try DeviceCredentials.loadOrCreate(in: folder) }?.0 == .unreadable)
        }
    }

    @Test func aDraftLeftByAKilledStartIsReplaced() throws {
        try withFolder { folder in
            write("half a k", to: folder + "/device.key.new")
            let made = try DeviceCredentials.loadOrCreate(in: folder)
            #expect(try DeviceCredentials.loadOrCreate(in: folder).publicKey == made.publicKey)
            #expect(mode(folder + "/device.key.new") == nil)
        }
    }

    @Test func aMissingFolderIsSaid() {
        let failure = code { _ = try DeviceCredentials.loadOrCreate(in: "/tmp/hearth-test-there-is-no-such-folder") }
        #expect(failure?.0 == .cannotCreate)
        #expect(failure?.1.contains("does not exist") == true)
    }

    @Test func signaturesHoldAndTamperingShows() throws {
        let (mine, other) = try withFolder { a in
            try withFolder { b in
                (try DeviceCredentials.loadOrCreate(in: a), try DeviceCredentials.loadOrCreate(in: b))
            }
        }
        let message = Array("the roster, version 3".utf8)
        let signature = mine.signature(for: message)
        #expect(signature.count == 64)
        func isValid(_ signature: [UInt8], _ message: [UInt8], _ key: [UInt8]) -> Bool {
            DeviceCredentials.isValid(signature: signature, for: message, key: key)
        }
        #expect(isValid(signature, message, mine.publicKey))
        #expect(!isValid(signature, message, other.publicKey))
        #expect(!isValid(signature, message + [0], mine.publicKey))
        #expect(!isValid(signature, [], mine.publicKey))
        for index in signature.indices {
            var tampered = signature
            tampered[index] ^= 1
            #expect(!isValid(tampered, message, mine.publicKey), "byte \(index)")
        }
        for count in [0, 63, 65, 72] {
            #expect(!isValid(Array(repeating: 0, count: count), message, mine.publicKey))
        }
        #expect(!isValid(Array(repeating: 0, count: 64), message, mine.publicKey))
        #expect(!isValid(Array(repeating: 255, count: 64), message, mine.publicKey))
        for index in mine.publicKey.indices {
            var key = mine.publicKey
            key[index] ^= 1
            #expect(!isValid(signature, message, key), "byte \(index)")
            #expect(!isValid(signature, message, Array(mine.publicKey.prefix(index))))
        }
        #expect(!isValid(signature, message, mine.publicKey + [0]))
        #expect(!isValid(signature, message, []))
    }
}
