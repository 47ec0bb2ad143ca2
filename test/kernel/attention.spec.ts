import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import {
  alertedBy,
  alertedByParts,
  partOfAlertWord,
  partsOfText,
} from '../../src/contexts/attention/alert-matching.js';
import { foldCase } from '../../src/kernel/text.js';
import { attentionFold, noAttention, type Attention } from '../../src/contexts/attention/attention.state.js';
import {
  decideAddAlertWords,
  decideMutePerson,
  decideRemoveAlertWords,
  decideTopicVisibility,
  decideUnmutePerson,
} from '../../src/contexts/attention/attention.decide.js';
import type { AttentionEvent } from '../../src/events/attention.js';
import { refusal, TestLog } from '../support/given.js';

const ada = { userId: 3 };

/** A person's attention state after these events. */
function after(...events: readonly AttentionEvent[]): Attention {
  const log = new TestLog();
  log.append('user-3', events);
  return log.fold<Attention, AttentionEvent>(attentionFold, 'user-3');
}

const engines = { channelId: 1, topic: 'engines', policy: 3 } as const;
const followed: AttentionEvent = { type: 'TopicVisibilityChanged', data: { ...ada, ...engines } };
const muted: AttentionEvent = { type: 'PersonMuted', data: { ...ada, mutedUserId: 4 } };

describe('a topic', () => {
  it('is followed once, in any letter case', () => {
    expect(decideTopicVisibility(noAttention, engines, ada)).toEqual([followed]);
    expect(decideTopicVisibility(after(followed), { ...engines, topic: 'ENGINES' }, ada)).toEqual([]);
  });

  it('is left as its channel is only where it was not', () => {
    const none = { ...engines, policy: 0 } as const;
    expect(decideTopicVisibility(noAttention, none, ada)).toEqual([]);
    const [taken] = decideTopicVisibility(after(followed), none, ada);
    expect(after(followed, taken!).topics).toEqual([]);
  });
});

describe('a person', () => {
  it('is muted and unmuted in turns', () => {
    expect(decideMutePerson(noAttention, 4, ada)).toEqual([muted]);
    expect(refusal(() => decideMutePerson(after(muted), 4, ada))).toBe('userAlreadyMuted');
    const [unmuted] = decideUnmutePerson(after(muted), 4, ada);
    expect(refusal(() => decideUnmutePerson(after(muted, unmuted!), 4, ada))).toBe('userNotMuted');
  });

  it('does not mute themselves', () => {
    expect(refusal(() => decideMutePerson(noAttention, 3, ada))).toBe('cannotMuteSelf');
  });
});

describe('alert words', () => {
  const person = { ...ada, isBot: false };

  it('are trimmed and kept once', () => {
    const words = ['  engine ', 'Engine', '', 'note G'];
    const [added] = decideAddAlertWords(noAttention, words, person);
    expect(added?.data).toEqual({ ...ada, words: ['engine', 'note G'] });
    expect(decideAddAlertWords(after(added!), ['ENGINE'], person)).toEqual([]);
    const [removed] = decideRemoveAlertWords(after(added!), ['ENGINE', 'loom'], ada);
    expect(after(added!, removed!).alertWords).toEqual(['note G']);
    expect(decideRemoveAlertWords(noAttention, ['engine'], ada)).toEqual([]);
  });

  it.each([
    ['an engine.', [3]],
    ['ENGINE', [3]],
    ['engines', []],
    ['steam-engine, and the note g: here', [3, 5]],
    ['reengine engine', [3]],
    ['', []],
  ])('are found in %p as whole words', (text, expected) => {
    const listeners = [
      { word: 'engine', userIds: [3] },
      { word: 'note g', userIds: [3, 5] },
    ];
    expect(alertedBy(text, listeners)).toEqual(expected);
  });

  it('are found whatever they consist of, and stored where a text that contains them looks', () => {
    const letters = fc.constantFrom('a', 'B', 'ß', 'Σ', '7', '_', ' ', '+', '-', '𝔞', '🙂', '\n');
    const texts = fc.string({ unit: letters, maxLength: 30 });
    const wordsOfPeople = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 4 }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(texts, wordsOfPeople, (text, given) => {
        const words = given.map((word) => foldCase(word.trim())).filter((word) => word !== '');
        const listeners = words.map((word, index) => ({ word, userIds: [index] }));
        const expected = listeners.filter(({ word }) => standsIn(foldCase(text), word));
        expect(alertedBy(text, listeners)).toEqual(expected.flatMap(({ userIds }) => userIds));
        expect(partsOfText(text)).toEqual(
          expect.arrayContaining(expected.map(({ word }) => partOfAlertWord(word))),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('are looked up in the parts that a text needs, which is split into words once', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ');
    const split = jest.spyOn(String.prototype, 'match');
    const asked: number[] = [];
    const alerted = alertedByParts(text, (part) => {
      asked.push(part);
      return part === partOfAlertWord('word7') ? [{ word: 'word7', userIds: [3] }] : [];
    });
    const splits = split.mock.calls.length;
    split.mockRestore();
    expect({ alerted, splits, asked }).toEqual({ alerted: [3], splits: 1, asked: partsOfText(text) });
  });

  it('are searched only in texts that have their first word', () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `word${index} ${'x'.repeat(90)}`);
    const searched = jest.spyOn(String.prototype, 'indexOf');
    const listeners = words.map((word, userId) => ({ word, userIds: [userId] }));
    expect(alertedBy(`${words[7]!} and word8 alone`, listeners)).toEqual([7]);
    const searches = searched.mock.calls.filter(([word]) => word.startsWith('word'));
    searched.mockRestore();
    expect(searches.map(([word]) => word)).toEqual([words[7], words[8]]);
    expect(new Set(words.map(partOfAlertWord)).size).toBeGreaterThan(200);
  });
});

/** Whether a text contains a word with no letter or digit before and after it, by looking at every place. */
function standsIn(text: string, word: string): boolean {
  const isLetter = (character: string | undefined): boolean => /^[\p{L}\p{N}_]$/u.test(character ?? '');
  return Array.from({ length: text.length }, (_, at) => at).some(
    (at) => text.startsWith(word, at) && !isLetter(text[at - 1]) && !isLetter(text[at + word.length]),
  );
}
