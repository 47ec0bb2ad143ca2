/** Prefixes that no other program's variables have. */
const ownPrefixes = [
  'PALIMPSEST_',
  'INBOUND_SMTP_',
  'INBOUND_MAIL_',
  'INVITATION_LINK_',
  'SEAL_EVERY_',
  'OUTGOING_WEBHOOK_',
  'PUSH_RELAY_',
  'JWT_AUTH_',
  'S3_',
];

/** Shorter names are too similar to names of other programs. */
const SHORTEST = 6;
const MAX_EDITS = 2;

/**
 * Warnings about variables that are probably misspelled: within two letters of a known name, or with a prefix that
 * only this program uses.
 *
 * @param known the names of the variables that this program reads
 */
export function misspelledVariables(
  environment: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): readonly string[] {
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name) || !environment[name]?.trim()) return [];
    const [nearest] = [...known]
      .map((one) => ({ one, edits: editDistance(name, one) }))
      .sort((left, right) => left.edits - right.edits);
    if (nearest !== undefined && nearest.edits <= maxEdits(nearest.one))
      return `${name} is not known and has no effect: did you mean ${nearest.one}?`;
    const isOwn = ownPrefixes.some((prefix) => name.startsWith(prefix));
    return isOwn ? `${name} is not known and has no effect.` : [];
  });
}

function maxEdits(name: string): number {
  return name.length < SHORTEST ? 1 : MAX_EDITS;
}

/** The Levenshtein distance of two names: how many letters must be inserted, removed or replaced. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = row[j - 1]! + Number(one[i - 1] !== other[j - 1]);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
