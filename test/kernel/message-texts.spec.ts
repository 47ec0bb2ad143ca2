import { describe, expect, it } from '@jest/globals';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { MessageTexts } from '../../src/contexts/missed-messages/message-texts.js';
import { standIn } from '../support/stand-in.js';

/** A message that counts how often its HTML is read. */
class ReadMessage {
  readonly _id = 41;
  readonly content = 'x';
  reads = 0;

  constructor(
    readonly changes: number,
    private readonly text: string,
  ) {}

  get html(): string {
    this.reads += 1;
    return `<p>${this.text}</p>`;
  }
}

describe('the text of a message that hundreds of people are notified of', () => {
  const reader = { cache: {} };
  const texts = new MessageTexts(standIn<MessageReader>(reader));
  const message = new ReadMessage(1, 'warp <b>and</b> weft');

  it('is made once', () => {
    for (let person = 0; person < 500; person += 1)
      expect(texts.reading()(message, 200)).toBe('warp and weft');
    expect(message.reads).toBe(1);
    expect(texts.reading()(message, 4)).toBe('warp…');
    expect(message.reads).toBe(2);
  });

  it('is made again once the message has changed', () => {
    expect(texts.reading()(new ReadMessage(2, 'yarn'), 200)).toBe('yarn');
  });

  it('is forgotten together with the texts of messages', () => {
    const { reads } = message;
    reader.cache = {};
    expect(texts.reading()(message, 200)).toBe('warp and weft');
    expect(message.reads).toBe(reads + 1);
  });

  it('of a message that was read before is not cached anew', () => {
    const earlier = texts.reading();
    reader.cache = {};
    const { reads } = message;
    earlier(message, 100);
    texts.reading()(message, 100);
    expect(message.reads).toBe(reads + 2);
  });
});
