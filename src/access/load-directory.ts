import { withoutEngineFields } from '../../projections/engine/engine-fields.js';
import type { Filter, Keyed, ModelStore } from '../stores/read-store/port.js';
import { recordOf, type DirectoryCollections } from './directory-documents.js';
import { Directory } from './directory.js';

const PAGE = 4_096;

/**
 * Loads a directory from its read model, with its log position.
 *
 * @returns null when the model changed meanwhile, or was read between two events: retry
 */
export async function loadDirectory(model: ModelStore): Promise<Directory | null> {
  const edition = await revisionOf(model);
  const { position } = await model.checkpoint();
  const reader = new CollectionReader(model);
  const directory = new Directory(
    {
      organization: (await reader.records('organization'))[0] ?? null,
      users: await reader.records('users'),
      settings: await reader.records('user_settings'),
      statuses: await reader.records('statuses'),
      settingDefaults: (await reader.records('setting_defaults'))[0] ?? null,
      profileFields: (await reader.records('profile_fields'))[0] ?? null,
      profiles: await reader.records('profiles'),
      linkifiers: (await reader.records('linkifiers'))[0] ?? null,
      customEmoji: (await reader.records('custom_emoji'))[0] ?? null,
      groups: await reader.records('user_groups'),
      channels: await reader.records('channels'),
      channelFolders: (await reader.records('channel_folders'))[0] ?? null,
      subscriptions: await reader.records('subscriptions'),
    },
    position,
  );
  const isWhole = edition === (await revisionOf(model)) && reader.newest <= (position ?? -1);
  return isWhole ? directory : null;
}

async function revisionOf(model: ModelStore): Promise<number> {
  const [edition] = await new CollectionReader(model).records('edition');
  return edition?.events ?? 0;
}

/**
 * Reads whole collections, and the newest log position of their documents, if the store keeps one with each
 * document.
 */
class CollectionReader {
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
