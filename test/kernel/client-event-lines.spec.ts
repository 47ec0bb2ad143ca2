import { describe, expect, it } from '@jest/globals';
import { eventCatalog } from '../../src/stores/event-catalog.js';
import { mapperLines } from '../../src/node/contexts-for-clients.js';

describe.each(eventCatalog.definitions.map(({ type }) => [type] as const))('the event %s', (type) => {
  it('has its line in the client-events of a context, or is known to be told to no client', () => {
    expect(Object.keys(mapperLines)).toContain(type);
  });
});

it('no line tells of an event that does not exist', () => {
  const types = new Set(eventCatalog.definitions.map(({ type }) => type));
  expect(Object.keys(mapperLines).filter((type) => !types.has(type))).toEqual([]);
});
