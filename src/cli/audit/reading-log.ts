import { Names } from '../../audit/names.js';
import type { Configuration } from '../../config.js';
import { openLogToRead, type LogStores } from '../../stores/open-log.js';
import { MisusedError } from '../command.js';
import { reachable } from '../with-stores.js';

/** Opens the log, runs a task, and closes the log. */
export async function withLog<Result>(
  configuration: Configuration,
  use: (stores: LogStores) => Promise<Result>,
): Promise<Result> {
  const stores = await openLogToRead(await reachable(configuration));
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** The names of people and channels. */
export function readNames({ log, vault }: LogStores): Promise<Names> {
  return Names.read(log, vault);
}

/** @throws MisusedError when there is no such person */
export function personNamed(names: Names, named: string): number {
  const id = names.personId(named);
  if (id === undefined) throw new MisusedError(`Nobody has the id or the e-mail address "${named}".`);
  return id;
}

/** @throws MisusedError when there is no such channel */
export function channelNamed(names: Names, named: string): number {
  const id = names.channelId(named);
  if (id === undefined) throw new MisusedError(`There is no channel "${named}".`);
  return id;
}
