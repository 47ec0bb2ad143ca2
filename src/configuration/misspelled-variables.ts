/** Beginnings that no other program's variables have. */
const OWN_PREFIXES = [
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

/** Names that are shorter are like too many others. */
const SHORTEST = 6;
const MAX_EDITS = 2;

/**
 * Sentences about variables that look like ours, but are not: within two letters of one that is read, or with a beginning that only ours have.
 *
 * @param known the names that are read
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
    const isOwn = OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
    return isOwn ? `${name} is not known and has no effect.` : [];
  });
}

function maxEdits(name: string): number {
  return name.length < SHORTEST ? 1 : MAX_EDITS;
}

/** How many letters have to be put in, left out or changed (Levenshtein). */
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
