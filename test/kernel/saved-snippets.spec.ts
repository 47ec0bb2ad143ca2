import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import {
  decideChangeSavedSnippet,
  decideCreateSavedSnippet,
  decideDeleteSavedSnippet,
} from '../../src/contexts/personal/snippets/saved-snippets.decide.js';
import type { SavedSnippetEvent } from '../../src/events/saved-snippets.js';
import {
  savedSnippetsFold,
  type SavedSnippets,
} from '../../src/contexts/personal/snippets/saved-snippets.state.js';
import { refusal, TestLog } from '../support/given.js';

const ada = { userId: 3 };
const stream = 'user-3';
const text = { title: 'Sign-off', content: 'Best,\nAda' };

function stateOf(log: TestLog): SavedSnippets {
  return log.fold<SavedSnippets, SavedSnippetEvent>(savedSnippetsFold, stream);
}

function withSnippets(count: number): TestLog {
  const log = new TestLog();
  for (let made = 0; made < count; made += 1) {
    log.append<SavedSnippetEvent>(stream, decideCreateSavedSnippet(stateOf(log), text, ada));
  }
  return log;
}

describe('a saved snippet', () => {
  it('is named by its place in its owner’s stream, and kept trimmed', () => {
    const log = withSnippets(2);
    const padded = { title: ' Sign-off ', content: '\n Best,\nAda ' };
    expect(decideCreateSavedSnippet(stateOf(log), padded, ada)).toEqual([
      { type: 'SavedSnippetCreated', data: { userId: 3, snippetId: 3, ...text } },
    ]);
  });

  it.each([
    ['a blank title', { ...text, title: ' ' }, 'textBlank'],
    ['a blank content', { ...text, content: '\n' }, 'textBlank'],
    ['a title of 61 code points', { ...text, title: '𝄞'.repeat(61) }, 'textTooLong'],
    ['a content of 10,001 code points', { ...text, content: 'a'.repeat(10_001) }, 'textTooLong'],
  ])('is refused with %s, new or changed', (_what, bad, error) => {
    const log = withSnippets(1);
    expect(refusal(() => decideCreateSavedSnippet(stateOf(log), bad, ada))).toBe(error);
    const change = { snippetId: 1, ...bad };
    expect(refusal(() => decideChangeSavedSnippet(stateOf(log), change, ada))).toBe(error);
  });

  it('may have a title of 60 and a content of 10,000 code points', () => {
    const longest = { title: '𝄞'.repeat(60), content: '𝄞'.repeat(10_000) };
    expect(decideCreateSavedSnippet(savedSnippetsFold.initial, longest, ada)).toHaveLength(1);
  });

  it('changes only the given values', () => {
    const log = withSnippets(1);
    const change = { snippetId: 1, title: null, content: 'Yours' };
    expect(decideChangeSavedSnippet(stateOf(log), change, ada)).toEqual([
      { type: 'SavedSnippetChanged', data: { userId: 3, ...change } },
    ]);
    const nothing = { snippetId: 1, title: null, content: null };
    expect(decideChangeSavedSnippet(stateOf(log), nothing, ada)).toEqual([]);
  });

  it('is there until it is deleted', () => {
    const log = withSnippets(1);
    log.append<SavedSnippetEvent>(stream, decideDeleteSavedSnippet(stateOf(log), 1, ada));
    const change = { snippetId: 1, title: 'Other', content: null };
    expect(refusal(() => decideChangeSavedSnippet(stateOf(log), change, ada))).toBe('noSuchSavedSnippet');
    expect(refusal(() => decideDeleteSavedSnippet(stateOf(log), 1, ada))).toBe('noSuchSavedSnippet');
  });

  it('is one of a number that a person may have', () => {
    const log = withSnippets(budgets.savedSnippets.max);
    expect(refusal(() => decideCreateSavedSnippet(stateOf(log), text, ada))).toBe('tooManySavedSnippets');
    log.append<SavedSnippetEvent>(stream, decideDeleteSavedSnippet(stateOf(log), 1, ada));
    expect(decideCreateSavedSnippet(stateOf(log), text, ada)).toHaveLength(1);
  });
});
