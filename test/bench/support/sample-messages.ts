import { randomCommandId } from '../../../src/stores/event-store/event-id.js';
import type { EventLog } from '../../../src/stores/event-store/event-log.js';
import type { EventOf } from '../../../src/kernel/event.js';
import type { MessageSent } from '../../../src/events/messages.js';

/** Typical texts: mostly a sentence or two, sometimes with formatting, a link or code. */
const TEXTS = [
  'Morning! The nightly run is green again, thanks for looking into it.',
  'I think the **second** proposal is better: it keeps the old format readable and costs us nothing. Shall we go for it?',
  'Done. See https://example.com/reports/2041 for the figures; the table at the end is the interesting part.',
  'ok',
  'Can somebody check `retry_after` in the client? It looks as if it were read as milliseconds.\n\n```\nsleep(reply.retry_after / 1000)\n```',
  'Three things are left:\n\n* the invoice for March\n* the new logo\n* a date for the workshop\n\nI can take the first one.',
  'It failed here as well, but only on the second attempt, and only while the first one was still open. I do not understand it yet; I will write down what I find in this topic and come back to it tomorrow.',
  '> Shall we meet at ten?\n\nTen is fine :+1: I will bring _both_ drafts.',
];

/** The text of a message in a long conversation, by its index; texts hardly ever repeat. */
export function sampleText(index: number): string {
  return `${TEXTS[index % TEXTS.length]!} (${index})`;
}

/** The topic of a message in a long conversation, by its index. */
export function sampleTopic(index: number): string {
  return `subject ${index % 20}`;
}

/** A message of a long conversation in a channel. */
export function sampleMessage(
  index: number,
  { senderId, channelId, topic }: SampleConversation,
): SampleMessage {
  return {
    type: 'MessageSent',
    data: {
      senderId,
      recipient: { type: 'channel', channelId, topic: topic ?? sampleTopic(index) },
      content: sampleText(index),
      references: {},
      mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: false },
      readBySender: true,
    },
  };
}

/** A message as an event for the log. */
export type SampleMessage = EventOf<typeof MessageSent>;

/** The channel, the authors and the topics of a conversation. */
export interface SampleConversation {
  readonly senderId: number;
  readonly channelId: number;
  /** Absent: several topics in turn. */
  readonly topic?: string;
}

/**
 * The number of appends that share a transaction. Each has as many events as fit well below the limit of an
 * append's size.
 */
const APPENDS_TOGETHER = 8;
const EVENTS_IN_APPEND = 250;

/** Writes a long conversation to a log, as if each message had been sent: each is encrypted with its own key. */
export async function writeConversation(
  log: EventLog,
  conversation: SampleConversation,
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += APPENDS_TOGETHER * EVENTS_IN_APPEND) {
    const appends = Array.from({ length: APPENDS_TOGETHER }, (_, index) => from + index * EVENTS_IN_APPEND);
    await Promise.all(
      appends
        .filter((start) => start < count)
        .map((start) =>
          appendRange(log, conversation, { start, end: Math.min(start + EVENTS_IN_APPEND, count) }),
        ),
    );
  }
}

async function appendRange(
  log: EventLog,
  conversation: SampleConversation,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<void> {
  const events = Array.from({ length: end - start }, (_, index) =>
    sampleMessage(start + index, conversation),
  );
  await log.append({ stream: 'messages', expected: 'any' }, events, {
    actorId: conversation.senderId,
    commandId: randomCommandId(),
    causationId: null,
    client: 'bench',
    at: Date.UTC(2026, 0, 1) + start * 1000,
  });
}
