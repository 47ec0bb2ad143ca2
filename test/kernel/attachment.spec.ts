import { expect, it } from '@jest/globals';
import { Attachment } from '../../src/kernel/attachment.js';

const texts = new Attachment<object, string>();

it('An attachment belongs to one object, and can be replaced', () => {
  const [one, other] = [{ a: 1 }, { a: 1 }];
  expect(texts.get(one)).toBeUndefined();
  texts.set(one, 'first');
  texts.set(one, 'second');
  expect([texts.get(one), texts.get(other)]).toEqual(['second', undefined]);
});

it('An attachment is seen by its owner alone: not in copies, in JSON, or in comparisons', () => {
  const target = { a: 1 };
  texts.set(target, 'hidden');
  expect(texts.get({ ...target })).toBeUndefined();
  expect(texts.get(structuredClone(target))).toBeUndefined();
  expect(JSON.stringify(target)).toBe('{"a":1}');
  expect(target).toStrictEqual({ a: 1 });
  expect(new Attachment<object, string>().get(target)).toBeUndefined();
});
