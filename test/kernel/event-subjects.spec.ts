import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sentenceOf } from '../../src/audit/sentences/sentence-of.js';
import { eventSubjects, facetsAbout, facetsOf } from '../../src/contexts/audit-index/facets.js';
import { meaningOf } from '../../src/events/number-meanings.js';
import type { AnyEventDefinition, RecordedEvent } from '../../src/kernel/event.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';

/** Fields of an event's data that contain numbers whose meaning is not declared. */
function unknownNames({ type, schema, erasable }: AnyEventDefinition): readonly string[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const fields = Object.entries(json.properties ?? {}).filter(([name]) => !erasable?.fields.includes(name));
  return fields.flatMap(([name, field]) => unknownIn(type, name, field));
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

function unknownIn(type: string, name: string, schema: Schema): readonly string[] {
  const meaning = meaningOf(type, name);
  if (meaning !== undefined && meaning !== 'other') return [];
  if (schema.properties !== undefined)
    return meaning === 'other'
      ? []
      : Object.entries(schema.properties).flatMap(([inner, field]) => unknownIn(type, inner, field));
  const ways = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  if (ways.length > 0) return [...new Set(ways.flatMap((way) => unknownIn(type, name, way)))];
  if (typeof schema.additionalProperties === 'object')
    return unknownIn(type, name, schema.additionalProperties);
  const types = [schema.type ?? []].flat();
  const isNumber = types.includes('number') || types.includes('integer') || typeof schema.const === 'number';
  return isNumber && meaning === undefined ? [`${type}: ${name}`] : [];
}

const recorded = (type: string, data: unknown, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  type,
  data,
  id: '6f1d3d4c-4e0e-5f0a-9f43-2f8e3f0a7c11',
  stream: 'users',
  revision: 0,
  position: 9,
  metadata: { actorId: 77, commandId: 'x', causationId: null, client: 'test', at: 0 },
  erased: false,
  ...more,
});

function peopleNamedIn(event: RecordedEvent): ReadonlySet<number> {
  const ids = new Set<number>();
  sentenceOf(event, {
    nameAt: (kind, id) => {
      if (kind === 'person') ids.add(id);
      return null;
    },
  });
  return ids;
}

describe('the subjects of events', () => {
  it('are known for every number in the data of every event', () => {
    expect(eventCatalog.definitions.flatMap(unknownNames)).toEqual([]);
  });

  it('do not include a number whose meaning is not listed', () => {
    const schema = z.strictObject({ inner: z.array(z.strictObject({ newKindOfId: z.number().nullable() })) });
    const definition = { ...eventCatalog.definitions[0]!, type: 'Invented', schema };
    expect(unknownNames(definition)).toEqual(['Invented: newKindOfId']);
  });

  it.each(eventCatalog.definitions.map(({ type, example }) => [type, example] as const))(
    'of %s include everybody whom its sentence names',
    (type, data) => {
      const event = recorded(type, data);
      const { people } = eventSubjects(event);
      const named = [...peopleNamedIn(event)].filter((id) => id !== 77);
      expect(named.filter((id) => !people.includes(id))).toEqual([]);
    },
  );

  it('are not taken from what can be erased', () => {
    const draft = eventCatalog.find('DraftSaved')!;
    expect(eventSubjects(recorded('DraftSaved', draft.example)).topics).toEqual([]);
  });

  it('are no people where an image is 640 by 480 pixels', () => {
    const examined = eventCatalog.find('UploadImageExamined')!;
    expect(eventSubjects(recorded('UploadImageExamined', examined.example)).people).toEqual([]);
  });
});

describe('the facets of an event', () => {
  const known = { role: 400, senderId: null } as const;

  it('are few though it concerns 10,000 people, and each of them finds it', () => {
    const userIds = Array.from({ length: 10_000 }, (_, index) => index + 3);
    const event = recorded('UserSettingAssigned', { setting: 'x', value: 1, userIds });
    const facets = facetsOf(event, known);
    expect(facets.length).toBeLessThan(10);
    for (const id of [3, 4_711, 10_002])
      expect(facetsAbout('person', id).some((facet) => facets.includes(facet))).toBe(true);
  });

  it('are few though it names ranges of messages, and each message in them finds it', () => {
    const ranges = Array.from({ length: 500 }, (_, index) => ({
      from: index * 100 + 1,
      through: index * 100 + 60,
    }));
    const facets = facetsOf(recorded('MessagesMarkedRead', { userId: 3, ranges }), known);
    expect(facets.length).toBeLessThan(10);
    for (const id of [1, 25_030, 49_960])
      expect(facetsAbout('message', id).some((facet) => facets.includes(facet))).toBe(true);
    const one = facetsOf(
      recorded('MessagesMarkedRead', { userId: 3, ranges: [{ from: 41, through: 41 }] }),
      known,
    );
    expect(facetsAbout('message', 40).some((facet) => one.includes(facet))).toBe(false);
  });
});
