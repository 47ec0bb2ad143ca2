import { subscribersIn } from '../../access/records/subscription.js';
import { directoryEventTypes } from '../../access/directory-event-types.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { subscriptionEvents } from '../../events/channels.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import type { MessageTimeline } from '../message-timeline.js';
import type { PastApi, PastPlace } from './past-api.js';

/** What a person could see of a message from one moment until the next. */
export interface View {
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  /** The message in the API's response; null: the person could not see it. */
  readonly message: SeenMessage | null;
}

/** The fields of a message that show what was visible. */
interface SeenMessage {
  readonly content: string;
  readonly subject: string;
  readonly stream_id?: number;
  readonly flags: readonly string[];
}

/** Which person looks at which message. */
interface Viewing {
  readonly life: MessageTimeline;
  readonly userId: number;
}

/** How to reconstruct the views. */
export interface ViewsOptions {
  /** Aborted when the result is not needed any more. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (position: number) => void;
}

/**
 * Reconstructs what a person could see of a message at every moment of its history: asks the API after each event that
 * can have changed it.
 *
 * @param node set to a moment at or before the sending of the message
 * @throws the reason of the signal's abort
 */
export async function viewsOf(
  { node, api, log }: { readonly node: PastPlace; readonly api: PastApi; readonly log: EventLog },
  viewing: Viewing,
  { signal, onProgress }: ViewsOptions = {},
): Promise<readonly View[]> {
  const views: View[] = [];
  for (const { position, at } of await momentsOf(log, viewing, signal)) {
    await node.moveTo({ position, now: at });
    const message = await seen(api, viewing);
    // The result of an aborted request must not count as "could not see it".
    signal?.throwIfAborted();
    const last = views.at(-1);
    if (last === undefined || JSON.stringify(last.message) !== JSON.stringify(message)) {
      views.push({ position, at, message });
    }
    onProgress?.(position);
  }
  return views;
}

async function seen(api: PastApi, { life, userId }: Viewing): Promise<SeenMessage | null> {
  const parameters = [['apply_markdown', 'false'] as const, ['allow_empty_topic_name', 'true'] as const];
  const { status, body } = await api.ask({ userId, path: `messages/${life.messageId}`, parameters });
  if (status !== 200) return null;
  const { message } = JSON.parse(body) as { readonly message: SeenMessage };
  const { content, subject, stream_id, flags } = message;
  return { content, subject, flags, ...(stream_id !== undefined && { stream_id }) };
}

interface Moment {
  readonly position: number;
  readonly at: number;
}

/** Every event that can have changed who sees the message, or what they see. */
async function momentsOf(
  log: EventLog,
  { life, userId }: Viewing,
  signal: AbortSignal | undefined,
): Promise<readonly Moment[]> {
  const moments = new Map<number, Moment>();
  const note = ({ position, at }: Moment): void => void moments.set(position, { position, at });
  life.steps.forEach(note);
  const channelIds = new Set(
    life.steps.flatMap(({ change }) => {
      const place = change.kind === 'sent' ? change.location : change.kind === 'moved' ? change.to : null;
      return place?.type === 'channel' ? place.channelId : [];
    }),
  );
  const after = life.steps[0]?.position ?? null;
  for await (const page of log.store.readAll({ after, types: [...directoryEventTypes] })) {
    signal?.throwIfAborted();
    for (const event of await log.decode(page.events)) {
      if (matters(event, { channelIds, userId })) note({ position: event.position, at: event.metadata.at });
    }
  }
  return [...moments.values()].sort((one, other) => one.position - other.position);
}

function matters(
  event: RecordedEvent,
  { channelIds, userId }: { readonly channelIds: ReadonlySet<number>; readonly userId: number },
): boolean {
  const data = event.data as { readonly channelId?: number; readonly userId?: number };
  if (event.stream === 'users') return data.userId === userId;
  if (data.channelId === undefined) return true;
  if (!channelIds.has(data.channelId)) return false;
  return !isEvent(event, ...subscriptionEvents) || [...subscribersIn(event)].includes(userId);
}
