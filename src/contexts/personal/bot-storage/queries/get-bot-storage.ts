import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { Decisions } from '../../../../http/decisions.js';
import { failure } from '../../../../kernel/errors.js';
import { PersonalReader } from '../../personal-reader.js';
import { assertBot } from '../bot-storage.decide.js';

/** The calling bot's stored values by their keys (`GET /bot_storage`). */
export class GetBotStorage extends Query<Readonly<Record<string, string>>> {
  constructor(
    readonly caller: Caller,
    /** Null: all. */
    readonly keys: readonly string[] | null,
  ) {
    super();
  }
}

@QueryHandler(GetBotStorage)
export class GetBotStorageHandler implements IQueryHandler<GetBotStorage> {
  constructor(
    private readonly decisions: Decisions,
    private readonly reader: PersonalReader,
  ) {}

  /** @throws ApplicationError `botRequired`, `noSuchStorageKey` */
  async execute({ caller, keys }: GetBotStorage): Promise<Readonly<Record<string, string>>> {
    assertBot(this.decisions.actor(caller).user);
    const { userId } = caller;
    const filter = keys === null ? { userId } : { userId, key: { $in: [...keys] } };
    const entries = await (await this.reader.botStorage()).find(filter, { sort: { key: 1 } });
    const values = new Map(entries.map(({ key, value }) => [key, value]));
    if (keys?.every((key) => values.has(key)) === false) throw failure('noSuchStorageKey');
    return Object.fromEntries(values);
  }
}
