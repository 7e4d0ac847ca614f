import NIOCore

// The agent's actions on a connection.
extension Link {
    /// Starts delivering the peer's bytes.
    ///
    /// - Returns: False if the connection does not wait to be admitted.
    func admit() -> Bool {
        guard case .opened(let held) = phase else { return false }
        phase = .admitted
        setDeadline(nil)
        deliver(held)
        if !isPaused { gate.release() }
        return true
    }

    /// Reads on after a pause.
    func resume() {
        guard isPaused else { return }
        (isPaused, delivered) = (false, 0)
        guard case .admitted = phase else { return }
        gate.release()
    }

    /// Queues bytes. They are sent at the next ``flush()``, or earlier if there are many.
    ///
    /// - Returns: Whether a flush is needed.
    func send(_ bytes: [UInt8]) -> Bool {
        switch phase {
        case .opened, .admitted: break
        case .connecting, .handshaking, .closing, .gone: return false
        }
        guard let context else { return false }
        let buffered = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard bytes.count <= owner.limits.unsentBytes - min(buffered, owner.limits.unsentBytes) else {
            abort("more than \(owner.limits.unsentBytes >> 20) MiB wait to be sent and the peer does not read")
            return false
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            // Write pieces of limited size, because TLS keeps buffers as large as the largest piece it has seen.
            let piece = rest.prefix(owner.limits.chunkBytes - outbox.readableBytes)
            rest.removeFirst(piece.count)
            outbox.writeBytes(piece)
            if outbox.readableBytes >= owner.limits.chunkBytes { flush() }
        }
        return outbox.readableBytes > 0
    }

    /// Passes queued bytes to TLS and the socket.
    func flush(promise: EventLoopPromise<Void>? = nil) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard outbox.readableBytes > 0 || promise != nil else { return }
        let bytes = outbox
        outbox = ByteBuffer()
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    /// Sends queued bytes, then the TLS `close_notify`, and closes.
    func close(reason text: String) {
        switch phase {
        case .closing, .gone: return
        case .connecting, .handshaking: abort(text)
        case .opened, .admitted:
            note(text)
            phase = .closing
            setDeadline(owner.limits.drainTimeout)
            // Read on until the peer's `close_notify`: with unread bytes TCP would reset the connection before
            // everything is sent.
            gate.release()
            let sent = owner.loop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenComplete { [weak self] _ in
                self?.context?.close(promise: nil)
            }
            flush(promise: sent)
        }
    }

    /// Closes at once, without a `close_notify`.
    func abort(_ text: String) {
        note(text)
        switch phase {
        case .gone: return
        case .connecting: end()
        case .handshaking, .opened, .admitted, .closing:
            // In phase `opened` it must not accept more bytes while the channel closes.
            if wasOpened { phase = .closing }
            setDeadline(nil)
            gate.breakOff()
        }
    }

    func failDial(_ text: String) {
        note(text)
        end()
    }
}
