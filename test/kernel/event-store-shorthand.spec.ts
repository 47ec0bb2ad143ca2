import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expand, shorten } from '../../src/stores/event-store/embedded/shorthand.js';

const id = '01a2065c-ccf3-8a14-9501-fe753e9e9956';

/** The data that the codec makes of a short message. */
const data =
  '{"senderId":3,"recipient":{"type":"channel","channelId":1,"topic":"engines"},"readBySender":true,"mentions":{"userIds":[],"groups":[],"channelWildcard":false,"topicWildcard":false},"sealed":"rlrwWOcu"}';
const metadata = `{"actorId":3,"commandId":"01a2065c-ccf3-7614-9501-fe753e9e9957","causationId":null,"client":"bench","at":1795403074803,"schemaVersion":4,"key":"${id}","hash":"eacadb9029a34434"}`;

describe('texts of the log as its file holds them', () => {
  it('are a third as long where they say what most events say', () => {
    // Stored files contain exactly these characters: changing them requires a new version of the file format.
    expect(shorten(data, id)).toBe('\u000e3\u000f1\u0011engines\u001erlrwWOcu"}');
    expect(shorten(metadata, id)).toBe(
      '\u00013\u0002\u001d7614-9501-fe753e9e9957\u0003bench\u00061795403074803\u00074\u0008\u001c\u000beacadb9029a34434"}',
    );
  });

  it('say the same when they are read', () => {
    for (const text of [data, metadata]) expect(expand(shorten(text, id), id)).toBe(text);
  });

  it('are read as they are where an earlier version wrote them', () => {
    for (const text of [data, metadata]) expect(expand(text, id)).toBe(text);
  });

  it('are restored unchanged', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"key":"', id, id.slice(0, 14), '\u0001', '{"actorId":', '],"groups":[],'),
    );
    const values = fc.dictionary(texts, fc.oneof(texts, fc.array(texts), fc.dictionary(texts, texts)));
    fc.assert(
      fc.property(values, fc.uuid(), (value, anyId) => {
        const text = JSON.stringify(value);
        expect(expand(shorten(text, anyId), anyId)).toBe(text);
        expect(expand(shorten(text, id), id)).toBe(text);
      }),
    );
  });

  it('are no JSON where a character means nothing', () => {
    expect(() => JSON.parse(expand('{"senderId"\u001f3}', id))).toThrow(SyntaxError);
  });
});
