/** The built-in emoji that is no Unicode character: the specification's name of its namespace, as it stands in our JSON. */
const specified = '"reaction_type":"service_extra_emoji"';

/** The name that clients which existed before the specification know alone: another makes them unable to read a whole page. */
const older = '"reaction_type":"zulip_extra_emoji"';

/** Whether a client is one of those that existed before the specification, by its User-Agent. */
export function isExistingClient(userAgent: string | undefined): boolean {
  return userAgent !== undefined && (/^zulip/i.test(userAgent) || userAgent.startsWith('Mozilla/'));
}

/**
 * The JSON of a reply as existing clients know it. Nothing that people wrote is changed: within a string, the quotes that are looked
 * for would stand behind backslashes.
 */
export function inOlderNames<Json extends string | Buffer>(json: Json): Json;
export function inOlderNames(json: string | Buffer): string | Buffer {
  if (!json.includes(specified)) return json;
  if (typeof json === 'string') return json.replaceAll(specified, older);
  // One character for each byte: whatever the bytes stand for stays as it is.
  return Buffer.from(json.toString('latin1').replaceAll(specified, older), 'latin1');
}
