import { describe, expect, it } from '@jest/globals';
import { AlertWordsAdded, PersonMuted } from '../../src/events/attention.js';
import { MessageSent } from '../../src/events/messages.js';
import { isEvent, type Recorded, type RecordedEvent } from '../../src/kernel/event.js';
import { handlers, on } from '../../src/kernel/event-handlers.js';
import { on as onProjected } from '../../projections/engine/projection.js';

const event: RecordedEvent = {
  type: PersonMuted.type,
  data: PersonMuted.example,
  id: '6d3d4b9c-3a57-4f7e-9a55-0d1f6a8f1b11',
  stream: 'user-10',
  revision: 0,
  position: 0,
  erased: false,
  metadata: { actorId: 10, commandId: 'c', causationId: null, client: 'test', at: 0 },
};

const mutedBy = ({ data }: Recorded<typeof PersonMuted>): number => data.userId;

describe('on', () => {
  it('gives a handler to each of its definitions, with the data that they say', () => {
    const both = on([PersonMuted, AlertWordsAdded], ({ data }) => data.userId);
    expect(Object.keys(both)).toEqual(['PersonMuted', 'AlertWordsAdded']);
    expect(both['PersonMuted']!(event)).toBe(PersonMuted.example.userId);
  });

  it('takes no handler of other events', () => {
    // @ts-expect-error The handler is one of muting people.
    on(MessageSent, mutedBy);
    // @ts-expect-error One of the two has no muted person.
    on([PersonMuted, AlertWordsAdded], ({ data }) => data.mutedUserId);
    const projected = {
      apply: ({ data }: Recorded<typeof PersonMuted>) => [{ collection: 'muted', remove: data.userId }],
    };
    // @ts-expect-error The handler is one of muting people.
    onProjected(MessageSent, projected);
    expect(on(PersonMuted, mutedBy)['PersonMuted']!(event)).toBe(PersonMuted.example.userId);
  });
});

describe('handlers', () => {
  it('are one table of several parts', () => {
    const all = handlers(
      on(PersonMuted, mutedBy),
      on(AlertWordsAdded, ({ data }) => data.userId),
    );
    expect(Object.keys(all)).toEqual(['PersonMuted', 'AlertWordsAdded']);
  });

  it('handle no event twice', () => {
    const part = on(PersonMuted, mutedBy);
    expect(() => handlers(part, part)).toThrow('Two handlers of PersonMuted');
  });
});

describe('isEvent', () => {
  it('tells an event by its definitions', () => {
    expect(isEvent(event, MessageSent, PersonMuted)).toBe(true);
    expect(isEvent(event, MessageSent)).toBe(false);
    expect(isEvent(event, PersonMuted) && mutedBy(event)).toBe(PersonMuted.example.userId);
  });
});
