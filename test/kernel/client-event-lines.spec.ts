import { describe, expect, it } from '@jest/globals';
import { eventCatalog } from '../../src/events.js';
import { translationLines } from '../../src/realtime/translations/registry.js';

describe.each(eventCatalog.definitions.map(({ type }) => [type] as const))('the event %s', (type) => {
  it('has its line in src/realtime/translations, or is known to be told to no client', () => {
    expect(translationLines.has(type)).toBe(true);
  });
});

it('no line tells of an event that does not exist', () => {
  const types = new Set(eventCatalog.definitions.map(({ type }) => type));
  expect([...translationLines.keys()].filter((type) => !types.has(type))).toEqual([]);
});
