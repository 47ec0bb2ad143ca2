import { describe, expect, it } from '@jest/globals';
import { alertedBy } from '../../src/contexts/attention/alert-matching.js';
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
  it('are trimmed and kept once', () => {
    const words = ['  engine ', 'Engine', '', 'note G'];
    const [added] = decideAddAlertWords(noAttention, words, ada);
    expect(added?.data).toEqual({ ...ada, words: ['engine', 'note G'] });
    expect(decideAddAlertWords(after(added!), ['ENGINE'], ada)).toEqual([]);
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
});
