import type { RecordedEvent } from '../../kernel/event.js';

/** What events call by an id, and people by a name. */
export type NamedKind = 'person' | 'channel' | 'group' | 'folder' | 'field' | 'emoji' | 'file';

/** A thing and what it is called from an event on. */
interface Naming {
  readonly kind: NamedKind;
  readonly id: number;
  readonly name: string;
}

type Data = Readonly<Record<string, unknown>>;

/** By type of event: which thing it names. */
const namings: Readonly<Record<string, readonly [kind: NamedKind, id: string, name: string]>> = {
  UserRegistered: ['person', 'userId', 'fullName'],
  UserRenamed: ['person', 'userId', 'fullName'],
  ChannelCreated: ['channel', 'channelId', 'name'],
  ChannelRenamed: ['channel', 'channelId', 'name'],
  UserGroupCreated: ['group', 'groupId', 'name'],
  UserGroupRenamed: ['group', 'groupId', 'name'],
  ChannelFolderCreated: ['folder', 'folderId', 'name'],
  ChannelFolderRenamed: ['folder', 'folderId', 'name'],
  ProfileFieldCreated: ['field', 'fieldId', 'name'],
  ProfileFieldChanged: ['field', 'fieldId', 'name'],
  CustomEmojiAdded: ['emoji', 'emojiId', 'name'],
  FileUploaded: ['file', 'uploadId', 'name'],
};

/** The types of events that name something: what a {@link NameHistory} is made of. */
export const namingEventTypes: readonly string[] = Object.keys(namings);

interface Entry {
  readonly position: number;
  readonly name: string;
}

/** What people, channels and other things were called at every position of the log. Pure: it knows what it was told. */
export class NameHistory {
  private readonly entries = new Map<string, Entry[]>();

  /** Takes note of an event. Events must come in log order; those that name nothing change nothing. */
  learn(event: Pick<RecordedEvent, 'type' | 'data' | 'position'>): void {
    const naming = namingOf(event);
    if (naming === null) return;
    const key = keyOf(naming.kind, naming.id);
    const known = this.entries.get(key) ?? [];
    known.push({ position: event.position, name: naming.name });
    this.entries.set(key, known);
  }

  /**
   * What something was called when an event came: before it, or by it where it had no name before. Null: it had none.
   *
   * @param position of the event
   */
  nameAt(kind: NamedKind, id: number, position: number): string | null {
    const known = this.entries.get(keyOf(kind, id)) ?? [];
    const before = known.findLast((entry) => entry.position < position);
    return (before ?? known.find((entry) => entry.position === position))?.name ?? null;
  }
}

const keyOf = (kind: NamedKind, id: number): string => `${kind} ${id}`;

function namingOf({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): Naming | null {
  const naming = Object.hasOwn(namings, type) ? namings[type] : undefined;
  if (naming === undefined) return null;
  const [kind, id, name] = naming;
  const { [id]: number, [name]: text } = data as Data;
  return typeof number === 'number' && typeof text === 'string' ? { kind, id: number, name: text } : null;
}
