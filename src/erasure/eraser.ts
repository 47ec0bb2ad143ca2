import { devicesOf, foldedDevices, tokensOf } from '../contexts/push/devices.state.js';
import type { CredentialStore } from '../stores/credential-store/port.js';
import { serverMetadata } from '../stores/event-store/command-metadata.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import type { Decisions } from '../http/decisions.js';
import type { Clock } from '../kernel/clock.js';
import type { EventMetadata, RecordedEvent } from '../kernel/event.js';
import { ownerKeyId } from '../stores/key-store/owner-keys.js';
import type { Vault } from '../stores/key-store/vault.js';
import type { Cause, MessageCopies } from './message-copies.js';
import type { ErasableModels } from './erasable-models.js';
import type { ErasureEvent } from '../events/erasure.js';
import { erasures, unreadErasures } from '../audit/cases/erasures.state.js';
import type { CachedTexts } from './cached-texts.js';
import {
  decideDeferMessages,
  decideEraseMessages,
  decideErasePerson,
  decideRefuseErasure,
  type DeferredMessage,
} from '../audit/cases/erasures.decide.js';
import type { PersonTraces } from './person-traces.js';
import type { DeletedMessage, MessageTraces } from './message-traces.js';

/** What {@link Eraser} needs. */
interface ErasingOptions {
  readonly decisions: Pick<Decisions, 'record' | 'load'>;
  readonly vault: Vault;
  readonly credentials: Pick<
    CredentialStore,
    'removePasswordHash' | 'removeDeviceKey' | 'revokeApiKeys' | 'secondFactors'
  >;
  readonly traces: MessageTraces;
  readonly copies: MessageCopies;
  readonly people: PersonTraces;
  readonly cachedTexts: CachedTexts;
  readonly models: ErasableModels;
  readonly clock: Clock;
}

/**
 * Makes what people wrote permanently unreadable. It destroys keys, and then every decrypted copy: in the read models, in their files, and
 * in the memory of this process. Other processes learn of it from the log. Each step can be repeated.
 */
export class Eraser {
  constructor(private readonly options: ErasingOptions) {}

  /**
   * Erases messages that the read models have already deleted.
   *
   * @param cause the event that deleted the first of them
   */
  async eraseMessages(messages: readonly DeletedMessage[], cause: Cause): Promise<void> {
    const { vault, traces, copies, cachedTexts, models } = this.options;
    const found = await traces.of(messages.map(({ messageId }) => messageId));
    if (found.length === 0) return;
    const positions = new Map(messages.map(({ messageId, position }) => [messageId, position]));
    const erased = await copies.erase(found, { positions, cause });
    const own = await Promise.all(found.map((message) => traces.keysOf(message)));
    await vault.destroy([...own.flat(), ...erased.flatMap(({ key }) => key ?? [])]);
    await cachedTexts.forgetMessages(found.map(({ messageId }) => messageId));
    const writes = erased.flatMap(({ write }) => write ?? []);
    await Promise.all(writes.map((write) => models.pass(write)));
    await models.dropFormerVersions();
    await models.scrub();
    // A retry may find a different set of messages, which makes it a different command.
    const ids = found.map(({ messageId }) => String(messageId));
    const erasedMessages = found.map(({ messageId, sent }) => ({ messageId, key: sent.id }));
    const metadata = this.metadata(['erase-messages', cause.id, ...ids], cause);
    await this.record(decideEraseMessages(erasedMessages), metadata);
  }

  /** Records that deleted messages are kept until their holds are lifted. */
  async deferMessages(messages: readonly DeferredMessage[], cause: Cause): Promise<void> {
    if (messages.length === 0) return;
    const ids = messages.map(({ messageId }) => String(messageId));
    const metadata = this.metadata(['defer-messages', cause.id, ...ids], cause);
    await this.options.decisions.record(metadata, erasures, (state) => decideDeferMessages(state, messages));
  }

  /** The deleted messages that are deferred by holds, with the position of each deferral. */
  async deferredMessages(): Promise<readonly DeletedMessage[]> {
    const { messages } = await this.options.decisions.load(erasures);
    return Array.from(messages.entries(), ([messageId, position]) => ({ messageId, position }));
  }

  /** Erases a person's identity and texts: every read model is rebuilt from the log, which no longer contains them. */
  async erasePerson(userId: number, cause: Cause): Promise<void> {
    const { vault, people, cachedTexts, models } = this.options;
    // This comes first, so that the texts are unreadable even if a later step fails.
    await vault.destroy([ownerKeyId(userId)]);
    await vault.destroy(await people.keysOf(userId));
    await this.removeCredentials(userId);
    // A rebuild that was interrupted earlier must not be resumed: it has the texts already, and no event removes them.
    await models.dropFormerVersions();
    await models.rebuildAll();
    await models.dropFormerVersions();
    await models.scrub();
    const metadata = this.metadata(['erase-people', cause.id], cause);
    const [recorded] = await this.record(decideErasePerson(userId), metadata);
    await cachedTexts.forgetPeople([userId], recorded!.position);
  }

  /** Removes credentials, and the addresses and keys of the person's devices for notifications. */
  private async removeCredentials(userId: number): Promise<void> {
    const { credentials, decisions } = this.options;
    await credentials.removePasswordHash(userId);
    await credentials.secondFactors.remove(userId);
    await credentials.revokeApiKeys(userId);
    const state = await decisions.load(foldedDevices);
    const owned = [
      ...devicesOf(state, userId).map(({ id }) => id),
      ...tokensOf(state, userId).map(({ deviceId }) => deviceId),
    ];
    for (const deviceId of owned) await credentials.removeDeviceKey(deviceId);
  }

  /** Whether a person's key is already destroyed. */
  isErased(userId: number): Promise<boolean> {
    return this.options.vault.areDestroyed([ownerKeyId(userId)]);
  }

  /** Records that a person was not erased because of legal holds. */
  async refusePerson(userId: number, caseIds: readonly number[], cause: Cause): Promise<void> {
    const metadata = this.metadata(['refuse-erasure', cause.id], cause);
    await this.record(decideRefuseErasure(userId, caseIds), metadata);
  }

  /** The command id is derived from the cause, so a retry writes nothing twice. */
  private async record(
    decided: readonly ErasureEvent[],
    metadata: EventMetadata,
  ): Promise<readonly RecordedEvent<ErasureEvent>[]> {
    return this.options.decisions.record(metadata, unreadErasures, () => decided);
  }

  private metadata(command: readonly string[], { id }: Cause): EventMetadata {
    return serverMetadata(commandIdOf(command), this.options.clock.now(), id);
  }
}
