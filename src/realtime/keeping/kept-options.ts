import { z } from 'zod';
import { capabilitiesOf, clientCapabilitiesSchema } from '../queues/client-capabilities.js';
import { narrowFilter } from '../queues/narrow-filter.js';
import type { QueueOptions } from '../queues/queue-options.js';

/** What a queue is kept with: raised when what stands in it means something else. */
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

/** What a client asked for, as JSON. */
export function writeOptions({ eventTypes, narrow, ...options }: QueueOptions): string {
  const kept = { version: VERSION, ...options, narrow: narrow.terms };
  return JSON.stringify({ ...kept, eventTypes: eventTypes === null ? null : [...eventTypes] });
}

/** Null: another version of this program wrote it, which means something else by it. */
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
