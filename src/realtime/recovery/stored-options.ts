import { z } from 'zod';
import { capabilitiesOf, clientCapabilitiesSchema } from '../queues/client-capabilities.js';
import { narrowFilter } from '../queues/narrow-filter.js';
import type { QueueOptions } from '../queues/queue-options.js';

/** Version of the stored options: raised when a stored value changes its meaning. */
const VERSION = 1;

const schema = z.object({
  version: z.literal(VERSION),
  applyMarkdown: z.boolean(),
  clientGravatar: z.boolean(),
  slimPresence: z.boolean(),
  presence: z.object({
    isSlim: z.boolean(),
    afterUpdateId: z.number().nullable(),
    days: z.number().nullable(),
  }),
  includeSubscribers: z.enum(['true', 'false', 'partial']),
  allPublicChannels: z.boolean(),
  eventTypes: z.array(z.string()).nullable(),
  narrow: z.array(z.tuple([z.string(), z.string()])),
  capabilities: clientCapabilitiesSchema,
  usesOlderNames: z.boolean(),
  idleSeconds: z.number(),
  bytes: z.number(),
});

/** A queue's options as JSON. */
export function writeOptions({ eventTypes, narrow, ...options }: QueueOptions): string {
  const kept = { version: VERSION, ...options, narrow: narrow.terms };
  return JSON.stringify({ ...kept, eventTypes: eventTypes === null ? null : [...eventTypes] });
}

/** Null: they were stored by another version of this program, with another meaning. */
export function readOptions(text: string): QueueOptions | null {
  const read = schema.safeParse(JSON.parse(text));
  if (!read.success) return null;
  const { version: _version, eventTypes, narrow, capabilities, ...options } = read.data;
  return {
    ...options,
    eventTypes: eventTypes === null ? null : new Set(eventTypes),
    narrow: narrowFilter(narrow),
    capabilities: capabilitiesOf(capabilities),
  };
}
