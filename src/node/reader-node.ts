import { AuditIndex, DiscardedEvents } from '../audit/log-index/audit-index.js';
import { KnownNames } from '../audit/queries/known-names.js';
import { PastPermissions } from '../audit/past/past-permissions.js';
import { pause } from '../../projections/engine/pause.js';
import { ConsistentLog } from '../http/consistency.js';
import { Decisions } from '../http/decisions.js';
import { ChannelListing, Descriptions } from '../contexts/channels/channel-listing.js';
import { directoryEventTypes } from '../access/directory-event-types.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import { LogOnDemand } from '../stores/event-store/following/log-on-demand.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import { replyBytes } from '../http/envelope.js';
import { failure } from '../kernel/errors.js';
import { UploadReader } from '../contexts/uploads/upload-reader.js';
import { MessageStatistics } from '../contexts/messages/message-statistics.js';
import type { ReadControl } from '../stores/read-store/port.js';
import { openReadStore } from '../stores/stores.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { openLogToRead } from '../stores/open-log.js';
import type { StoreConfiguration } from '../stores/store-configuration.js';
import { KnownPeople } from '../access/known-people.js';
import type { ReaderEnvironment } from '../reader-threads/reader-protocol.js';
import { openMessageReader, type OpenedMessageReader } from './open-message-reader.js';
import { readerQuery, type ReaderParts } from './reader-queries.js';
import { TaskDeadline } from '../reader-threads/query-deadline.js';
import type { CallersQuery } from '../reader-threads/reader-query.js';

/** How long a thread waits to catch up with the thread that sent the query, in milliseconds; then the query fails. */
const MAX_CATCH_UP = 5_000;

/** After how many milliseconds it reads again meanwhile. */
const READ_AGAIN = 250;

/** Called by a reader thread: see {@link ReaderModule}. Its stores are closed when the thread ends. */
export async function openReaderEnvironment(
  configuration: StoreConfiguration,
  control: ReadControl,
): Promise<ReaderEnvironment> {
  const stores = await openLogToRead(configuration);
  const readStore = await openReadStore(configuration, { readOnly: true, control });
  const log = new LogOnDemand(stores.log);
  const opened = openMessageReader(readStore, { log, vault: stores.vault });
  const { models, follower, messages } = opened;
  const parts = readerParts(stores.log, opened, new TaskDeadline(control));
  // If an event cannot be read, this thread never catches up with the log. It still catches up with the thread that
  // sends queries, which has stopped at the same event, so it starts anyway.
  await withinCatchUp(follower.start());
  return {
    catchUp: (position) => {
      models.allMoved();
      return catchUp({ follower, log }, position);
    },
    perform: async ({ kind, input, asReply }) => {
      const known = readerQuery(kind);
      const asked = Object.assign(Object.create(known.query.prototype as object) as CallersQuery, input);
      const result = await known.handler(parts).execute(asked);
      return asReply ? { result: null, reply: replyBytes(known.reply(result)) } : { result, reply: null };
    },
    forgetTexts: () => messages.forgetTexts(),
    forgetNames: () => parts.names.forget(),
    forgetModels: () => {
      models.forgetAll();
      // A version that cannot be released now is released when the next one is looked up.
      readStore.releaseDropped().catch(() => undefined);
    },
  };
}

/** The dependencies of queries in this thread. */
function readerParts(
  log: EventLog,
  { models, follower, messages, clock }: OpenedMessageReader,
  deadline: TaskDeadline,
): ReaderParts {
  const discarded = new DiscardedEvents(models);
  const index = new AuditIndex(models, discarded);
  const names = new KnownNames(log);
  const streams = new FoldedStreams(log);
  return {
    messages,
    uploads: new UploadReader(models),
    log,
    index,
    names,
    past: { log, index, messages, permissions: new PastPermissions(log), names, deadline, discarded },
    deadline,
    decisions: new Decisions(streams, follower, clock, new ConsistentLog(log, [])),
    people: new KnownPeople(messages),
    listing: new ChannelListing(new MessageStatistics(messages, follower, clock), new Descriptions()),
  };
}

/** @throws ApplicationError `unavailable` when the directory does not reach the position in time */
async function catchUp(
  { follower, log }: { readonly follower: DirectoryFollower; readonly log: LogOnDemand },
  position: number,
): Promise<void> {
  if (follower.hasReached(position)) return;
  const write = { position, types: [...directoryEventTypes] };
  // The log's server may not have the event yet where this thread reads.
  const readingOn = setInterval(() => log.readOn(), READ_AGAIN);
  log.readOn();
  try {
    if (!(await follower.waitUntil(write, MAX_CATCH_UP))) throw failure('unavailable');
  } finally {
    clearInterval(readingOn);
  }
}

/** Waits at most {@link MAX_CATCH_UP}, then continues. */
async function withinCatchUp(something: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([something, pause(MAX_CATCH_UP, enough.signal)]);
  enough.abort();
}
