import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { eventCatalog } from '../../src/stores/event-catalog.js';
import { assertStrictSchema } from '../support/strict-schema.js';

describe('The schema of an event', () => {
  it.each(eventCatalog.definitions.map((definition) => [definition.type, definition] as const))(
    'accepts only JSON of declared members: %s',
    (_, definition) => {
      expect(() => assertStrictSchema(definition)).not.toThrow();
    },
  );
});

describe('This check of schemas', () => {
  it.each([
    ['at the top', z.object({ a: z.string() })],
    ['inside', z.strictObject({ a: z.array(z.union([z.string(), z.object({ b: z.string() })])) })],
    ['on purpose', z.strictObject({ a: z.looseObject({}) })],
    ['behind a member named properties', z.strictObject({ properties: z.object({}) })],
  ])('refuses a schema that lets unknown members through %s', (_, schema) => {
    expect(() => assertStrictSchema({ type: 'Thing', schema })).toThrow(/Thing.*strictObject/);
  });

  it('refuses a schema that is not of JSON', () => {
    const schema = z.strictObject({ at: z.date() });
    expect(() => assertStrictSchema({ type: 'Thing', schema })).toThrow(/Thing.*plain JSON/);
  });

  it('accepts strict schemas with records, unions and members of any name', () => {
    const schema = z.strictObject({
      properties: z.strictObject({ additionalProperties: z.string() }),
      settings: z.record(z.string(), z.union([z.string(), z.null()])),
      anything: z.record(z.string(), z.unknown()),
    });
    expect(() => assertStrictSchema({ type: 'Thing', schema })).not.toThrow();
  });
});
