import { messagesModel } from '../../contexts/messages/read-model.js';
import { DiscardedEvents } from '../../audit/log-index/audit-index.js';
import { withMovedCounts } from '../../audit/queries/moved-counts.js';
import type { MovedCount } from '../../audit/sentences/sentence-of.js';
import type { Configuration } from '../../config.js';
import type { LoggedEvent } from '../../stores/event-store/readable-events.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';
import { openReadStore } from '../../stores/stores.js';

/**
 * The numbers of messages that moves took along, from the read models of the server, which are only read. A server may
 * use them meanwhile. Where there are none, the numbers are unknown.
 */
export class MovedMessagesHere {
  private models: Promise<ServingModels> | null = null;

  constructor(private readonly configuration: Configuration) {}

  /** Adds to each move how many messages it took along, if that is known. */
  addTo<Event extends LoggedEvent>(events: readonly Event[]): Promise<readonly (Event & MovedCount)[]> {
    return withMovedCounts(events, {
      messages: { model: () => this.model() },
      discarded: { of: async (model) => new DiscardedEvents(await this.opened()).of(model) },
    });
  }

  /** The read model of messages. @throws ApplicationError `unavailable`, ReadStoreUnavailableError */
  private async model(): Promise<ModelStore> {
    return (await this.opened()).get(messagesModel.name, messagesModel.collections);
  }

  /** @throws ReadStoreUnavailableError */
  private opened(): Promise<ServingModels> {
    this.models ??= openReadStore(this.configuration, { readOnly: true }).then(
      (store) => new ServingModels(store),
    );
    return this.models;
  }

  async close(): Promise<void> {
    const models = await this.models?.catch(() => null);
    await models?.readStore.close();
  }
}
