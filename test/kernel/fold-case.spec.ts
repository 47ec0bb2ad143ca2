import { describe, expect, it } from '@jest/globals';
import { foldCase, nameKey } from '../../src/kernel/text.js';

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
