/**
 * Texts that occur in nearly every event's data or metadata, by the control character that is stored instead. JSON contains control
 * characters only as escapes, so the replacement is unambiguous. NUL is used as a separator elsewhere.
 *
 * Files contain these characters: a character must never change its meaning, and a new one needs a new version of the file format.
 */
const phrases: ReadonlyMap<string, string> = new Map([
  ['\u0001', '{"actorId":'],
  ['\u0002', ',"commandId":"'],
  ['\u0003', '","causationId":null,"client":"'],
  ['\u0004', '","causationId":"'],
  ['\u0005', '","client":"'],
  ['\u0006', '","at":'],
  ['\u0007', ',"schemaVersion":'],
  ['\u0008', ',"key":"'],
  ['\u000b', '","hash":"'],
  ['\u000c', ',"hash":"'],
  ['\u000e', '{"senderId":'],
  ['\u000f', ',"recipient":{"type":"channel","channelId":'],
  ['\u0010', ',"recipient":{"type":"direct","userIds":['],
  ['\u0011', ',"topic":"'],
  ['\u0012', '"mentions":{"userIds":['],
  ['\u0013', '],"groups":[],"channelWildcard":false,"topicWildcard":false}'],
  ['\u0014', ',"readBySender":true'],
  ['\u0015', ',"sealed":"'],
  ['\u0016', '{"messageId":'],
  ['\u0017', ',"userId":'],
  ['\u0018', ',"emoji":{"name":"'],
  ['\u0019', '","type":"unicode_emoji"}}'],
  ['\u001a', ',"messageKey":"'],
  ['\u001b', '","tag":"'],
  [
    '\u001e',
    '"},"readBySender":true,"mentions":{"userIds":[],"groups":[],"channelWildcard":false,"topicWildcard":false},"sealed":"',
  ],
]);

/** Stands for the event's own id, which is also the id of its first key. */
const OWN_ID = '\u001c';

/** Stands for the beginning of the event's own id, which encodes the time: its command id begins with the same text. */
const OWN_TIME = '\u001d';
const TIME_LENGTH = '00000000-0000-'.length;

const characters = new Map([...phrases].map(([character, phrase]) => [phrase, character]));
const written = new RegExp([...characters.keys()].toSorted(byLength).map(escaped).join('|'), 'g');
const stored = /[\u0001-\u001e]/;
const eachStored = new RegExp(stored, 'g');

/**
 * Shortens a JSON text for the file.
 *
 * @param id of the event that the text belongs to
 */
export function shorten(json: string, id: string): string {
  return json
    .replace(written, (phrase) => characters.get(phrase)!)
    .replaceAll(id, OWN_ID)
    .replaceAll(id.slice(0, TIME_LENGTH), OWN_TIME);
}

/** The inverse of {@link shorten}. A text that was not shortened is returned unchanged. */
export function expand(text: string, id: string): string {
  return stored.test(text) ? text.replace(eachStored, (character) => meaningOf(character, id)) : text;
}

/** An unknown control character is kept, so that the text is not valid JSON. */
function meaningOf(character: string, id: string): string {
  if (character === OWN_ID) return id;
  if (character === OWN_TIME) return id.slice(0, TIME_LENGTH);
  return phrases.get(character) ?? character;
}

function byLength(one: string, other: string): number {
  return other.length - one.length;
}

function escaped(phrase: string): string {
  return phrase.replace(/[{}[\]().*+?^$|\\]/g, '\\$&');
}
