/** Values that differ from run to run, by kind. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['uuid', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g],
  ['path', /(?<=\/)[0-9a-f]{2}\/[0-9a-f]{38}(?=[/"])/g],
  ['hash', /(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-f])/g],
  ['id', /(?<="(?:id|keyId)":\s?"|API key )[0-9a-f]{16}(?=["\s.])/g],
  ['queue', /(?<![0-9a-f])[0-9a-f]{12}(?=:\d)/g],
  // The digest by which the key of tags is known.
  ['tag key', /(?<="key":\s?")[\w-]{22}(?=")/g],
  // Of an event: made under the server's key.
  ['tag', /(?<="tag":\s?")[\w-]{23}(?=")/g],
  // What the requests of an outgoing webhook bot are known by.
  ['webhook token', /(?<="token":\s?")[\w-]{32}(?=")/g],
  // An API key.
  ['key', /(?<![\w-])[A-Za-z0-9]{32}(?![\w-])/g],
  // A digest, or more, in base64url: chance never leaves out one case of letters, as names do.
  ['token', /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{40,}(?![\w-])/g],
];

/**
 * Members whose number says how far the log or the server had come, or what the machine made of it: events that nobody waits for
 * (a letter was delivered) come sooner or later.
 */
const CHANGING_NUMBERS =
  /"(position|beyond|newest|head|checkpoint|servedCheckpoint|bytes|eventsPerSecond|lagEvents|lagSeconds|server_generation)":(\s?)[\d.]+/g;

/** Gives each changing value a name: equal values get the same, numbered in the order in which they first appear. */
export class Placeholders {
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  constructor(
    /** Texts that are known beforehand, and what stands for them. */
    private readonly known: readonly (readonly [text: string, name: string])[],
  ) {}

  /** Puts placeholders into a text. */
  apply(text: string): string {
    const named = this.known.reduce((changed, [value, name]) => changed.replaceAll(value, name), text);
    const without = named.replaceAll(CHANGING_NUMBERS, '"$1":$2"<$1>"');
    return KINDS.reduce(
      (changed, [kind, pattern]) => changed.replaceAll(pattern, (value) => this.nameOf(kind, value)),
      without,
    );
  }

  private nameOf(kind: string, value: string): string {
    const known = this.names.get(value);
    if (known !== undefined) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const name = `<${kind} ${count}>`;
    this.names.set(value, name);
    return name;
  }
}
