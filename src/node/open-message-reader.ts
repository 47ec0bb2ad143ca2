import { silentLogger } from '../../projections/engine/logger.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import { EmailLookup } from '../access/email-lookup.js';
import { directoryModel } from '../access/read-model.js';
import { AttentionReader } from '../contexts/attention/attention-reader.js';
import { MessageReader } from '../contexts/messages/message-reader.js';
import { SystemClock } from '../runtime/system-clock.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { Vault } from '../stores/key-store/vault.js';
import type { ReadStore } from '../stores/read-store/port.js';
import { openServingModel, ServingModels } from '../stores/read-store/serving-models.js';

/** What messages are read from. */
interface MessageSources {
  readonly models: ServingModels;
  readonly follower: DirectoryFollower;
  readonly vault: Vault;
  readonly clock: SystemClock;
}

/** What a thread has opened of the log. */
interface LogAndVault {
  readonly log: Pick<EventLog, 'follow'>;
  readonly vault: Vault;
}

/** A reader of messages, and what it reads from. */
export interface OpenedMessageReader extends MessageSources {
  readonly messages: MessageReader;
}

/** A reader of messages over stores that are open. */
export function messageReaderOver({ models, follower, vault, clock }: MessageSources): MessageReader {
  return new MessageReader(models, follower, new EmailLookup(vault), clock, new AttentionReader(models));
}

/**
 * Opens a reader of messages in a thread of its own. The caller starts the follower. The follower logs nothing: the
 * thread that answers requests follows the same log, and reports its problems.
 */
export function openMessageReader(readStore: ReadStore, { log, vault }: LogAndVault): OpenedMessageReader {
  const models = new ServingModels(readStore);
  const follower = new DirectoryFollower({
    log,
    model: () => openServingModel(readStore, directoryModel.name, directoryModel.collections),
    logger: silentLogger,
  });
  const sources = { models, follower, vault, clock: new SystemClock() };
  return { ...sources, messages: messageReaderOver(sources) };
}
