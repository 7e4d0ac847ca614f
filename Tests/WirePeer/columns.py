"""The atoms of a delta, column by column, and the dictionaries of a link; Sync.proto says both under `Columns` and
"Names that are sent once"."""

from atoms import Atom
from messages import pb

EPOCH_BYTES = 33
KEY_NAMES, KEY_NAME, KEY_NAME_BYTES, EPOCH_NAMES = 131_072, 1_024, 4 << 20, 4_096


class Names:
    """A dictionary of profiles, replicas or device keys in one direction."""

    def __init__(self, limit=65_536):
        self._limit = limit
        self._numbers = {}
        self._names = []

    def refer(self, name):
        """How to send a name: its number, and its bytes where it is new or has no number."""
        if name in self._numbers:
            return self._numbers[name], b""
        if len(self._numbers) >= self._limit:
            return 0, name
        self._numbers[name] = len(self._numbers) + 1
        return self._numbers[name], name

    def resolve(self, number, data):
        """The name that the other side means."""
        if not data:
            return self._names[number - 1]
        if number:
            if number != len(self._names) + 1:
                raise ValueError(f"name number {number} is defined where {len(self._names) + 1} was due")
            self._names.append(data)
        return data


class KeyBook:
    """The keys of atoms that were sent in full in one direction. A key is (path, kind, sub); sub None stands for the
    dot's own replica."""

    def __init__(self):
        self.last_path = b""
        self.keys = []
        self.numbers = {}
        self._bytes = 0

    def add(self, key):
        self.last_path = key[0]
        size = len(key[0]) + len(key[2] or b"")
        if size > KEY_NAME or len(self.keys) >= KEY_NAMES or self._bytes + size > KEY_NAME_BYTES:
            return
        self._bytes += size
        self.keys.append(key)
        self.numbers[key] = len(self.keys)


class Direction:
    """What one direction of a link remembers."""

    def __init__(self):
        self.profiles = Names()
        self.replicas = Names()
        self.devices = Names(1_024)
        self.epochs = []
        self.keys = KeyBook()
        self.lead = b""


def _trimmed(column):
    while column and column[-1] == 0:
        column = column[:-1]
    return column


def _shared(a, b):
    """How many bytes two values have in common at their beginning."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle - 1)
    return low


def write(atoms, order, firsts, out, known):
    """The columns of atoms that are ascending by dot.

    order: the replicas of the delta's `to`; firsts: for each the first sequence number that the delta spans; out: what
    this direction remembers; known: the other direction, whose numbers of keys may be used as well.
    """
    columns = pb.Columns()
    sizes, ahead, steps, key_numbers, epochs, content_shared, content_sizes = [], [], [], [], [], [], []
    path_shared, path_sizes, kinds, subs = [], [], [], []
    contents, epoch_bytes, paths, sub_bytes = b"", b"", b"", b""
    last_place = None
    position, sequence = 0, firsts[0]
    content = out.lead
    for atom in atoms:
        place = order.index(atom.replica), atom.sequence
        if place != last_place:
            if place[0] != position:
                ahead.append(place[0] - position)
                position, sequence = place[0], firsts[place[0]]
            else:
                ahead.append(0)
            steps.append(atom.sequence - sequence)
            sequence = atom.sequence
            sizes.append(0)
            last_place = place
        sizes[-1] += 1
        key = (atom.path, atom.kind, None if atom.sub == atom.replica else atom.sub)
        if key in out.keys.numbers:
            key_numbers.append(2 * out.keys.numbers[key] - 1)
        elif key in known.keys.numbers:
            key_numbers.append(2 * known.keys.numbers[key])
        else:
            key_numbers.append(0)
            path_shared.append(_shared(out.keys.last_path, atom.path))
            path_sizes.append(len(atom.path) - path_shared[-1])
            paths += atom.path[path_shared[-1] :]
            kinds.append(atom.kind)
            subs.append(1 if key[2] is None else len(key[2]) + 1 if key[2] else 0)
            sub_bytes += key[2] or b""
            out.keys.add(key)
        if not atom.epoch:
            epochs.append(0)
        elif atom.epoch in out.epochs:
            epochs.append(out.epochs.index(atom.epoch) + 1)
        else:
            epochs.append(len(out.epochs) + 1)
            epoch_bytes += atom.epoch
            if len(out.epochs) < EPOCH_NAMES:
                out.epochs.append(atom.epoch)
        content_shared.append(_shared(content, atom.content))
        content_sizes.append(len(atom.content) - content_shared[-1])
        contents += atom.content[content_shared[-1] :]
        content = atom.content
        if len(content) >= 8:
            out.lead = content[:8]
    columns.run_size.extend(sizes[:-1])
    columns.run_ahead.extend(_trimmed(ahead))
    columns.run_step.extend(_trimmed(steps))
    columns.key.extend(_trimmed(key_numbers))
    columns.epoch.extend(_trimmed(epochs))
    columns.content_shared.extend(_trimmed(content_shared))
    columns.content_size.extend(content_sizes[:-1])
    columns.contents = contents
    columns.epochs = epoch_bytes
    columns.path_shared.extend(_trimmed(path_shared))
    columns.path_size.extend(path_sizes[:-1])
    columns.paths = paths
    columns.kinds = bytes(_trimmed(kinds))
    columns.sub.extend(_trimmed(subs))
    columns.subs = sub_bytes
    return columns


class Reader:
    """Reads the atoms of one delta from the columns of its frames."""

    def __init__(self, order, firsts, lasts, incoming, sent):
        self._order, self._firsts, self._lasts = order, firsts, lasts
        self._in, self._sent = incoming, sent
        self._position, self._sequence = 0, firsts[0]

    def read(self, columns):
        count = len(columns.content_size) + 1
        key_count = count - sum(1 for number in columns.key if number)
        runs = _cut(list(range(count)), columns.run_size)
        contents = _cut(columns.contents, columns.content_size)
        paths = _cut(columns.paths, columns.path_size) if key_count else []
        subs, epochs = memoryview(columns.subs), memoryview(columns.epochs)
        atoms, full = [], 0
        content = self._in.lead
        for run, members in enumerate(runs):
            if not members:
                raise ValueError("a delta has a run without atoms")
            if ahead := _entry(columns.run_ahead, run):
                self._position += ahead
                self._sequence = self._firsts[self._position]
            self._sequence += _entry(columns.run_step, run)
            if self._sequence > self._lasts[self._position]:
                raise ValueError("an atom's dot lies outside its delta")
            replica = self._order[self._position]
            for at in members:
                if key_number := _entry(columns.key, at):
                    book = self._in.keys if key_number % 2 else self._sent.keys
                    path, kind, sub = book.keys[(key_number + 1) // 2 - 1]
                else:
                    path = self._in.keys.last_path[: _entry(columns.path_shared, full)] + bytes(paths[full])
                    kind = _entry(columns.kinds, full)
                    size = _entry(columns.sub, full)
                    sub = None if size == 1 else bytes(subs[: max(0, size - 1)])
                    subs = subs[max(0, size - 1) :]
                    full += 1
                    self._in.keys.add((path, kind, sub))
                epoch = b""
                if epoch_number := _entry(columns.epoch, at):
                    if epoch_number <= len(self._in.epochs):
                        epoch = self._in.epochs[epoch_number - 1]
                    else:
                        epoch, epochs = bytes(epochs[:EPOCH_BYTES]), epochs[EPOCH_BYTES:]
                        if len(self._in.epochs) < EPOCH_NAMES:
                            self._in.epochs.append(epoch)
                content = content[: _entry(columns.content_shared, at)] + bytes(contents[at])
                if len(content) >= 8:
                    self._in.lead = content[:8]
                atoms.append(Atom(path, kind, replica if sub is None else sub, content, replica, self._sequence, epoch))
        if subs or epochs:
            raise ValueError("a delta has bytes that belong to nothing")
        return atoms


def _entry(column, at):
    return column[at] if at < len(column) else 0


def _cut(whole, sizes):
    """Pieces of these sizes; the last piece is what remains."""
    pieces, start = [], 0
    for size in sizes:
        pieces.append(whole[start : start + size])
        start += size
    if start > len(whole):
        raise ValueError("the sizes of a column are larger than what they cut up")
    return pieces + [whole[start:]]
