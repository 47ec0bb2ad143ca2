import { AuditIndex, DiscardedEvents } from '../audit/log-index/audit-index.js';
import { KnownNames } from '../audit/queries/known-names.js';
import { PastPermissions } from '../audit/past/past-permissions.js';
import { PastSources } from '../audit/past/past-sources.js';
import { directoryModel } from '../access/read-model.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { pause } from '../../projections/engine/pause.js';
import { AttentionReader } from '../contexts/attention/attention-reader.js';
import { Decisions } from '../http/decisions.js';
import { ChannelListing, Descriptions } from '../contexts/channels/channel-listing.js';
import { directoryEventTypes } from '../access/directory-event-types.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import { LogOnDemand } from '../stores/event-store/following/log-on-demand.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import { replyBytes } from '../http/envelope.js';
import { failure } from '../kernel/errors.js';
import { MessageReader } from '../contexts/messages/message-reader.js';
import { UploadReader } from '../contexts/uploads/upload-reader.js';
import { MessageStatistics } from '../contexts/messages/message-statistics.js';
import type { ReadControl } from '../stores/read-store/port.js';
import { openServingModel, ServingModels } from '../stores/read-store/serving-models.js';
import { openReadStore } from '../stores/stores.js';
import { openLogToRead } from '../stores/open-log.js';
import type { StoreConfiguration } from '../stores/store-configuration.js';
import { SystemClock } from '../runtime/system-clock.js';
import { KnownPeople } from '../access/known-people.js';
import { EmailLookup } from '../access/email-lookup.js';
import type { ReaderEnvironment } from '../reader-threads/reader-protocol.js';
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
  const { log, vault } = await openLogToRead(configuration);
  const readStore = await openReadStore(configuration, { readOnly: true, control });
  const clock = new SystemClock();
  const models = new ServingModels(readStore);
  // The thread that answers requests follows the same log, reports its problems, and says how far to read for a query.
  const directoryLog = new LogOnDemand(log);
  const follower = new DirectoryFollower({
    log: directoryLog,
    model: () => openServingModel(readStore, directoryModel.name, directoryModel.collections),
    logger: silentLogger,
  });
  const emails = new EmailLookup(vault);
  const messages = new MessageReader(models, follower, emails, clock, new AttentionReader(models));
  const streams = new FoldedStreams(log, { settle: () => Promise.resolve() });
  const names = new KnownNames(log);
  const discarded = new DiscardedEvents(models);
  const index = new AuditIndex(models, discarded);
  const deadline = new TaskDeadline(control);
  const parts: ReaderParts = {
    messages,
    uploads: new UploadReader(models),
    log,
    index,
    names,
    past: new PastSources(log, index, messages, new PastPermissions(log), names, deadline, discarded),
    deadline,
    decisions: new Decisions(streams, follower, clock),
    people: new KnownPeople(messages),
    listing: new ChannelListing(new MessageStatistics(messages, follower, clock), new Descriptions()),
  };
  // If an event cannot be read, this thread never catches up with the log. It still catches up with the thread that
  // sends queries, which has stopped at the same event, so it starts anyway.
  await withinCatchUp(follower.start());
  return {
    catchUp: async (position) => {
      models.allMoved();
      if (follower.hasReached(position)) return;
      const write = { position, types: [...directoryEventTypes] };
      // The log's server may not have the event yet where this thread reads.
      const readingOn = setInterval(() => directoryLog.readOn(), READ_AGAIN);
      directoryLog.readOn();
      try {
        if (!(await follower.waitUntil(write, MAX_CATCH_UP))) throw failure('unavailable');
      } finally {
        clearInterval(readingOn);
      }
    },
    perform: async ({ kind, input, asReply }) => {
      const known = readerQuery(kind);
      const asked = Object.assign(Object.create(known.query.prototype as object) as CallersQuery, input);
      const result = await known.handler(parts).execute(asked);
      return asReply ? { result: null, reply: replyBytes(known.reply(result)) } : { result, reply: null };
    },
    forgetTexts: () => messages.forgetTexts(),
    forgetNames: () => names.forget(),
    forgetModels: () => {
      models.forgetAll();
      // A version that cannot be released now is released when the next one is looked up.
      readStore.releaseDropped().catch(() => undefined);
    },
  };
}

/** Waits at most {@link MAX_CATCH_UP}, then continues. */
async function withinCatchUp(something: Promise<void>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([something, pause(MAX_CATCH_UP, enough.signal)]);
  enough.abort();
}
