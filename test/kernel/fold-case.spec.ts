import { describe, expect, it } from '@jest/globals';
import { compatibilityForm, foldCase, nameKey } from '../../src/kernel/text.js';

describe('names without regard to case', () => {
  it.each([
    ['General', 'gENERAL'],
    ['straße', 'STRASSE'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ﬁnance', 'FINANCE'],
    ['  padded ', 'padded'],
    ['Kelvin', '\u212aelvin'],
    ['Ünïcode', 'U\u0308NI\u0308CODE'],
  ])('%j and %j are the same', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it('tell accents apart', () => {
    expect(nameKey('résumé')).not.toBe(nameKey('resume'));
  });

  it('stay as they are when folded again', () => {
    for (const text of ['İstanbul', 'ẞ', 'ǅ', 'ΐ']) expect(foldCase(foldCase(text))).toBe(foldCase(text));
  });
});

describe('compatibility forms', () => {
  it.each(['①', 'ﬃ', 'e\u0301', '한글', `a${'\u0316\u0315'.repeat(15)}`])(
    'of %j are those of Unicode',
    (text) => {
      expect(compatibilityForm(text)).toBe(text.normalize('NFKC'));
    },
  );

  it('of endless combining marks sort at most 30 of them together', () => {
    const form = compatibilityForm(`a${'\u0315'.repeat(40)}${'\u0316'.repeat(40)}`);
    expect(form.split('\u034f').map((part) => [...part].length)).toEqual([31, 30, 20]);
    expect(form.split('\u034f')[1]).toBe('\u0316'.repeat(20) + '\u0315'.repeat(10));
  });
});
