"""Verifies a Palimpsest proof bundle with nothing but Python's standard library, as docs/proofs.md describes it.

Usage: verify_proof_bundle.py BUNDLE SIGNER    with the signer's fingerprint (SHA256:...). Exits with 0 when all holds, else with 3."""
import base64, hashlib, json, sys

P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    e, f = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    g, h = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    i, j, k, m = f - e, h - g, h + g, f + e
    return i * j % P, k * m % P, j * k % P, i * m % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        result = add(result, point) if scalar & 1 else result
        point, scalar = add(point, point), scalar >> 1
    return result


def point_of(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("no point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def is_signed(key, message, signature):  # Ed25519, RFC 8032, section 5.1.7
    base = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    scalar = int.from_bytes(signature[32:], "little")
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    left = times(scalar, base)
    right = add(point_of(signature[:32]), times(int.from_bytes(digest, "little") % ORDER, point_of(key)))
    same = all((left[axis] * right[2] - right[axis] * left[2]) % P == 0 for axis in (0, 1))
    return len(signature) == 64 and scalar < ORDER and same


def canonical(value):  # RFC 8785; Palimpsest's numbers are whole
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def root_of(leaf, index, size, proof):  # RFC 9162, section 2.1.3.2
    last = size - 1
    for sibling in map(bytes.fromhex, proof):
        if index & 1 or index == last:
            leaf = sha256(b"\1", sibling, leaf)
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            leaf = sha256(b"\1", leaf, sibling)
        index, last = index >> 1, last >> 1
    return leaf if last == 0 else None


def faults(bundle, signer):
    claim, key = bundle["claim"], base64.b64decode(bundle["publicKey"])
    if "SHA256:" + base64.urlsafe_b64encode(sha256(key)).decode().rstrip("=") != signer:
        yield "it was signed by somebody else"
    if not is_signed(key[-32:], canonical(claim).encode(), base64.b64decode(bundle["signature"])):
        yield "the signature does not fit"
    if len(claim["places"]) != len(bundle["inclusions"]):
        yield "there are not as many events as were signed"
    for place, held in zip(claim["places"], bundle["inclusions"]):
        index, event = held["index"], dict(held["event"])
        if place != {"index": index, "stream": event["stream"], "revision": event.pop("revision")}:
            yield f"event {index} is said to stand elsewhere"
        metadata = {name: value for name, value in event["metadata"].items() if name not in ("hash", "tag")}
        hashed = sha256(canonical({**event, "metadata": metadata}).encode())
        if hashed.hex() != event["metadata"]["hash"]:
            yield f"event {index} is not as it was written"
        root = root_of(sha256(b"\0", hashed), index, claim["size"], held["proof"])
        if index >= claim["size"] or root != bytes.fromhex(claim["root"]):
            yield f"event {index} is not in the log"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(faults(json.load(file), sys.argv[2]))
    print("\n".join(found) or "Everything holds.")
    sys.exit(3 if found else 0)
