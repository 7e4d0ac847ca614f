import DiskStore
import Libc
import ProfileKeeping
import SyncProtocol

/// Reads and encrypts exported files.
enum ExportedFile {
    /// The longest passphrase in bytes.
    private static let passphraseLimit = 1_024

    /// Encrypts a signed file. This takes a moment on purpose: the slow key derivation (scrypt, RFC 7914) also slows
    /// down guessing.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/value`` for an empty or too long passphrase.
    @concurrent
    static func sealed(_ file: [UInt8], _ passphrase: String) async throws -> [UInt8] {
        let secret = try checked(passphrase)
        var random = SystemRandomNumberGenerator()
        let salt = (0..<SealedTransfer.saltSize).map { _ in UInt8.random(in: 0...255, using: &random) }
        do {
            return try SealedTransfer.seal(file, passphrase: secret, salt: salt)
        } catch {
            throw StoreError(.value, error.description)
        }
    }

    /// Reads the signed file at a path, and decrypts it where it is encrypted.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/passphrase`` for a missing or wrong passphrase,
    ///   ``StoreError/Code/damaged`` for a file that is no valid export, ``StoreError/Code/newer`` for one of a later
    ///   Hearth.
    @concurrent
    static func opened(_ path: String, _ passphrase: String?) async throws -> [UInt8] {
        let secret = try passphrase.map(checked)
        let bytes = try await DiskQueue.shared.run { try read(path) }
        do {
            guard try TransferFormat.form(of: bytes) == .sealed else { return bytes }
            guard let secret else {
                throw StoreError(.passphrase, "\(path) is encrypted; give the passphrase it was exported with")
            }
            return try SealedTransfer.open(bytes, passphrase: secret)
        } catch let fault as TransferFault {
            let code: StoreError.Code =
                switch fault.reason {
                case .newer: .newer
                case .locked: .passphrase
                case .foreign, .damaged, .tooLarge: .damaged
                }
            throw StoreError(code, "\(path): \(fault)")
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        do {
            if let content = try DiskFiles(home: "/").read(path, limit: TransferFormat.fileLimit) {
                return content.bytes
            }
        } catch {
            throw StoreError.of(error)
        }
        throw StoreError(.disk, "nothing is at \(path)")
    }

    private static func checked(_ passphrase: String) throws(StoreError) -> [UInt8] {
        let bytes = Array(passphrase.utf8)
        guard !bytes.isEmpty, bytes.count <= passphraseLimit else {
            throw StoreError(.value, "a passphrase has 1 to \(passphraseLimit) bytes, and this one has \(bytes.count)")
        }
        return bytes
    }
}

/// A file in Hearth's home that passes bytes to the agent, which may not be able to read the original place. Only this
/// user can read it, and the caller removes it afterwards.
struct StagedFile {
    let path: String

    init(_ bytes: [UInt8], home: String) throws {
        path = "\(home)/import-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        do {
            try HomeFolder.create(home)
            guard case .changed = try SaveFile(path: path).write(bytes, over: nil) else { return }
        } catch {
            unlink(path)
            throw StoreError.of(error)
        }
        throw StoreError(.disk, "\(path) is there already; try again")
    }

    func remove() { unlink(path) }
}
