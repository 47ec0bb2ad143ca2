import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { htmlOf, type MessageDocument } from '../messages/message-document.js';
import { MessageReader } from '../messages/message-reader.js';
import { plainTextOf } from './notification-text.js';

/** How many texts are cached: those of the messages that many people are notified of at the same time. */
const MAX_TEXTS = 300;

/** The text of a message without markup, cut after `maxCodePoints`. */
type TextOf = (
  message: Pick<MessageDocument, '_id' | 'changes' | 'html' | 'content'>,
  maxCodePoints: number,
) => string;

/**
 * The texts of messages as notifications and e-mails show them. Hundreds of people may be notified of one
 * message, so its text is made once for each state of the message.
 */
@Injectable()
export class MessageTexts {
  /** By the cache of the messages that they are made of: they are forgotten together. */
  private readonly cached = new WeakMap<object, LRUCache<string, string>>();

  constructor(private readonly reader: MessageReader) {}

  /** The texts of messages that are read from now on: what was forgotten before is not cached by it, nor what is forgotten later. */
  reading(): TextOf {
    const texts = this.texts();
    return (message, maxCodePoints) => {
      const key = `${message._id}/${message.changes}/${maxCodePoints}`;
      const known = texts.get(key);
      if (known !== undefined) return known;
      const text = plainTextOf(htmlOf(message), maxCodePoints);
      texts.set(key, text);
      return text;
    };
  }

  private texts(): LRUCache<string, string> {
    const { cache } = this.reader;
    const texts = this.cached.get(cache) ?? new LRUCache<string, string>({ max: MAX_TEXTS });
    this.cached.set(cache, texts);
    return texts;
  }
}
