import type { RecordedEvent } from '../../kernel/event.js';

/** The kinds of things that events refer to by id, and people by name. */
export type NamedKind = 'person' | 'channel' | 'group' | 'folder' | 'field' | 'emoji' | 'file';

/** The name of a thing from an event on. */
interface Naming {
  readonly kind: NamedKind;
  readonly id: number;
  readonly name: string;
}

type Data = Readonly<Record<string, unknown>>;

/** By event type: the thing that it names. */
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

/** The types of events from which a {@link NameHistory} is built. */
export const namingEventTypes: readonly string[] = Object.keys(namings);

interface Entry {
  readonly position: number;
  readonly name: string;
}

/**
 * The names of people, channels and other things at every position of the log. It only knows the events that it was
 * given.
 */
export class NameHistory {
  private readonly entries = new Map<string, Entry[]>();

  /** Learns from an event. Events must come in log order; those that name nothing are ignored. */
  learn(event: Pick<RecordedEvent, 'type' | 'data' | 'position'>): void {
    const naming = namingOf(event);
    if (naming === null) return;
    const key = keyOf(naming.kind, naming.id);
    const known = this.entries.get(key) ?? [];
    known.push({ position: event.position, name: naming.name });
    this.entries.set(key, known);
  }

  /**
   * The name of something just before an event, or the one that this event gives it if it had none. Null: it had no
   * name.
   *
   * @param position position of the event
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
