"""Ranges of profiles and their hashes, by which two devices with many profiles find out what differs."""

import hashlib

from identity import canonical

DIGITS = "0123456789abcdef"
NOTHING = bytes(8)


def members(profiles, digits):
    """The profiles of a range, ascending. Profiles are id -> vector, a vector is replica -> (sequence, history)."""
    return sorted(profile for profile in profiles if profile.hex().startswith(digits))


def _hash(profiles, digits):
    inside = members(profiles, digits)
    if not inside:
        return b""
    if len(digits) < 3:
        fields = [_hash(profiles, digits + digit) for digit in DIGITS]
        return hashlib.sha256(canonical("hearth range 1", *fields)).digest()
    fields = []
    for profile in inside:
        vector = profiles[profile]
        covered = b""
        for replica in sorted(vector):
            sequence, history = vector[replica]
            covered += replica + sequence.to_bytes(8, "big") + history.to_bytes(8, "big")
        fields += [profile, covered]
    return hashlib.sha256(canonical("hearth profiles 1", *fields)).digest()


def fingerprint(profiles, digits, salt):
    found = _hash(profiles, digits)
    return hashlib.sha256(canonical("hearth fingerprint 1", salt, found)).digest()[:8] if found else NOTHING


def parts(profiles, digits, salt):
    """The hashes of the sixteen parts of a range, as they are sent."""
    return b"".join(fingerprint(profiles, digits + digit, salt) for digit in DIGITS)
