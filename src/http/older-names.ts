/**
 * The namespace of the built-in emoji that is not a Unicode character, as our JSON spells it
 * (docs/api/differences.md).
 */
const SPECIFIED = '"reaction_type":"service_extra_emoji"';

/** The only spelling that older clients know: with another one they fail to read a whole page of messages. */
const OLDER = '"reaction_type":"zulip_extra_emoji"';

/** Whether a client, by its User-Agent, is one that knows only the older spelling. */
export function isExistingClient(userAgent: string | undefined): boolean {
  return userAgent !== undefined && (/^zulip/i.test(userAgent) || userAgent.startsWith('Mozilla/'));
}

/**
 * The JSON of a reply in the spelling that older clients know. Texts of people never change: within a JSON
 * string, the quotes of the pattern would be escaped.
 */
export function inOlderNames<Json extends string | Buffer>(json: Json): Json;
export function inOlderNames(json: string | Buffer): string | Buffer {
  if (!json.includes(SPECIFIED)) return json;
  if (typeof json === 'string') return json.replaceAll(SPECIFIED, OLDER);
  // Latin-1 maps each byte to one character and back, so other bytes do not change.
  return Buffer.from(json.toString('latin1').replaceAll(SPECIFIED, OLDER), 'latin1');
}
