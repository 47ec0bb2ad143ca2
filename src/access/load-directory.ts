import { withoutEngineFields } from '../../projections/engine/engine-fields.js';
import type { Filter, Keyed, ModelStore } from '../stores/read-store/port.js';
import type { DirectoryCollections } from './directory-documents.js';
import { Directory } from './directory.js';

const PAGE = 4_096;

/**
 * Loads a directory from its read model, with its log position.
 *
 * @returns null when the model changed meanwhile, or was read between two events: retry
 */
export async function loadDirectory(model: ModelStore): Promise<Directory | null> {
  const edition = await editionOf(model);
  const { position } = await model.checkpoint();
  const reading = new ModelReading(model);
  const directory = new Directory(
    {
      organization: (await reading.records('organization'))[0] ?? null,
      users: await reading.records('users'),
      settings: await reading.records('user_settings'),
      statuses: await reading.records('statuses'),
      settingDefaults: (await reading.records('setting_defaults'))[0] ?? null,
      profileFields: (await reading.records('profile_fields'))[0] ?? null,
      profiles: await reading.records('profiles'),
      linkifiers: (await reading.records('linkifiers'))[0] ?? null,
      customEmoji: (await reading.records('custom_emoji'))[0] ?? null,
      groups: await reading.records('user_groups'),
      channels: await reading.records('channels'),
      channelFolders: (await reading.records('channel_folders'))[0] ?? null,
      subscriptions: await reading.records('subscriptions'),
    },
    position,
  );
  const isWhole = edition === (await editionOf(model)) && reading.newest <= (position ?? -1);
  return isWhole ? directory : null;
}

async function editionOf(model: ModelStore): Promise<number> {
  const [edition] = await new ModelReading(model).records('edition');
  return edition?.events ?? 0;
}

/**
 * Reads whole collections, and the newest log position of their documents, if the store keeps one with each
 * document.
 */
class ModelReading {
  /** Log position of the newest change in any document; -1 if the store does not keep it. */
  newest = -1;

  constructor(private readonly model: ModelStore) {}

  async records<Name extends keyof DirectoryCollections>(name: Name): Promise<DirectoryCollections[Name][]> {
    const records: object[] = [];
    for await (const stored of this.documents(name)) {
      const { document, seen } = withoutEngineFields(stored);
      this.newest = Math.max(this.newest, seen.position);
      if (document !== null) records.push(recordOf(document));
    }
    return records as DirectoryCollections[Name][];
  }

  /** In the order of ids: numbers, then texts, because a comparison matches values of one type only. */
  private async *documents(name: string): AsyncGenerator<Keyed> {
    const collection = this.model.collection(name);
    for (const first of [{ $gte: 0 }, { $gte: '' }]) {
      let next: Filter | null = { _id: first };
      while (next !== null) {
        const page: readonly Keyed[] = await collection.find(next, { sort: { _id: 1 }, limit: PAGE });
        yield* page;
        const last = page.at(-1);
        next = last === undefined || page.length < PAGE ? null : { _id: { $gt: last._id } };
      }
    }
  }
}

function recordOf({ _id, ...record }: Keyed): object {
  return record;
}
