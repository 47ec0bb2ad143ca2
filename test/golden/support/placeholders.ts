/** Patterns of values that differ from run to run, by kind. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['uuid', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g],
  ['path', /(?<=\/)[0-9a-f]{2}\/[0-9a-f]{38}(?=[/"])/g],
  ['hash', /(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-f])/g],
  ['id', /(?<="(?:id|keyId)":\s?"|API key )[0-9a-f]{16}(?=["\s.])/g],
  ['queue', /(?<![0-9a-f])[0-9a-f]{12}(?=:\d)/g],
  // The digest that identifies the key of the tags.
  ['tag key', /(?<="key":\s?")[\w-]{22}(?=")/g],
  // An event's tag, which is made with the server key.
  ['tag', /(?<="tag":\s?")[\w-]{23}(?=")/g],
  // The token that identifies the requests of an outgoing webhook bot.
  ['webhook token', /(?<="token":\s?")[\w-]{32}(?=")/g],
  // An API key.
  ['key', /(?<![\w-])[A-Za-z0-9]{32}(?![\w-])/g],
  // A digest or a longer token in base64url. Random ones practically always have letters in both cases, which names
  // do not.
  ['token', /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{40,}(?![\w-])/g],
];

/**
 * Members whose number depends on the end of the log, on the server's progress or on the machine. The end of the
 * log varies because some events are appended at no fixed time, such as that of a delivered e-mail.
 */
const CHANGING_NUMBERS =
  /"(position|read_position|beyond|newest|head|checkpoint|servedCheckpoint|bytes|eventsPerSecond|lagEvents|lagSeconds|server_generation)":(\s?)[\d.]+/g;

/**
 * Replaces changing values by names. Equal values get the same name; names are numbered in the order in which they
 * first appear.
 */
export class Placeholders {
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  constructor(
    /** Texts that are known before the session, with their placeholders. */
    private readonly known: readonly (readonly [text: string, name: string])[],
  ) {}

  /** Replaces changing values in a text. */
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
