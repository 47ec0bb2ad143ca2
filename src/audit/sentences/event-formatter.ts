import type { GroupSetting } from '../../events/values/group-setting.js';
import type { Recipient } from '../../events/messages.js';
import type { Role } from '../../events/users.js';
import { roles } from '../../access/records/roles.js';
import type { EventMetadata } from '../../kernel/event.js';
import type { NamedKind } from './name-history.js';
import { counted, listed, plain, quoted, settingName } from './wording.js';

/** The name of something as of one event; null: unknown. */
type NameOf = (kind: NamedKind, id: number) => string | null;

/** An event type's sentence: plain English, beginning with a capital letter and ending with a full stop. */
export type Sentence<Data> = (data: Data, format: EventFormatter) => string;

/** A sentence for every event type of a union. */
export type Sentences<Event extends { readonly type: string; readonly data: unknown }> = {
  readonly [Type in Event['type']]: Sentence<Extract<Event, { readonly type: Type }>['data']>;
};

/** Sentences by the type of event, whatever data they take. */
export type SentenceTable = Readonly<Record<string, Sentence<never>>>;

const roleNames: Readonly<Record<Role, string>> = {
  [roles.owner]: 'an owner',
  [roles.administrator]: 'an administrator',
  [roles.moderator]: 'a moderator',
  [roles.member]: 'a member',
  [roles.guest]: 'a guest',
};

/** Formats what one event refers to: people, channels, places and values, with the names of that time. */
export class EventFormatter {
  private hasNamedActor = false;

  constructor(
    private readonly names: NameOf,
    private readonly metadata: Pick<EventMetadata, 'actorId' | 'causationId'>,
    /** How many messages the event moved; null: it is no move, or the number is unknown. */
    readonly movedMessages: number | null = null,
  ) {}

  private get actorId(): number | null {
    return this.metadata.actorId;
  }

  /** The actor, as the subject of a sentence. */
  get actor(): string {
    this.hasNamedActor = true;
    return this.actorId === null ? 'The server' : this.person(this.actorId);
  }

  /** Whether the server reacted to another event, rather than to a request. */
  get isReaction(): boolean {
    return this.metadata.causationId !== null;
  }

  /** Whether a person or a bot acted, not the server itself. */
  get isByPerson(): boolean {
    return this.actorId !== null;
  }

  /** Whether the actor was named since the formatter was made. */
  get namesActor(): boolean {
    return this.hasNamedActor;
  }

  person(id: number | null): string {
    if (id === this.actorId) this.hasNamedActor = true;
    return id === null ? 'the server' : this.named('person', id);
  }

  /** Whether a person is the one who acted. */
  isActor(id: number): boolean {
    return id === this.actorId;
  }

  /** Something of a person as the object of a sentence: "their status" if the person is the actor. */
  their(thing: string, id: number): string {
    return this.isActor(id) ? `their ${thing}` : `the ${thing} of ${this.person(id)}`;
  }

  /** For whom the actor did something: "for themselves" if the person is the actor. */
  forWhom(id: number): string {
    return `for ${this.isActor(id) ? 'themselves' : this.person(id)}`;
  }

  people(ids: readonly number[]): string {
    return listed(
      ids.map((id) => this.person(id)),
      'nobody',
    );
  }

  /** An account as the object of a sentence: "their own account" if it is the actor's. */
  account(id: number): string {
    return this.isActor(id) ? 'their own account' : `the account of ${this.person(id)}`;
  }

  channel(id: number): string {
    return this.named('channel', id);
  }

  channels(ids: readonly number[]): string {
    return listed(
      ids.map((id) => this.channel(id)),
      'no channel',
    );
  }

  group(id: number): string {
    return this.named('group', id);
  }

  groups(ids: readonly number[]): string {
    return listed(
      ids.map((id) => this.group(id)),
      'no group',
    );
  }

  folder(id: number): string {
    return this.named('folder', id);
  }

  field(id: number): string {
    return this.named('field', id);
  }

  emoji(id: number): string {
    return this.named('emoji', id);
  }

  file(id: number): string {
    return this.named('file', id);
  }

  role(role: Role): string {
    return roleNames[role];
  }

  /** The place that a message is sent to. */
  place(recipient: Recipient): string {
    if (recipient.type === 'direct') return this.people(recipient.userIds);
    return `${this.channel(recipient.channelId)} > ${this.topic(recipient.topic)}`;
  }

  topic(topic: string): string {
    return topic === '' ? '(no topic)' : quoted(topic);
  }

  messages(ids: readonly number[]): string {
    return `${ids.length === 1 ? 'message' : 'messages'} ${listed(ids.map(String), 'none')}`;
  }

  /** Settings with their old and new values: "a from 1 to 2". */
  changes(after: object, before: object): string {
    const earlier = before as Readonly<Record<string, unknown>>;
    return listed(
      Object.entries(after).map(
        ([name, value]) => `${settingName(name)} from ${this.value(earlier[name])} to ${this.value(value)}`,
      ),
    );
  }

  /** Permissions with their old and new values, which are groups and people. */
  grants(after: object, before: object): string {
    const earlier = before as Readonly<Record<string, GroupSetting>>;
    return listed(
      Object.entries(after as Readonly<Record<string, GroupSetting>>).map(
        ([name, value]) => `${settingName(name)} from ${this.grant(earlier[name])} to ${this.grant(value)}`,
      ),
    );
  }

  value(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return quoted(value);
      case 'boolean':
        return value ? 'on' : 'off';
      case 'number':
        return String(value);
      default:
        return value === null || value === undefined ? 'not set' : quoted(JSON.stringify(value));
    }
  }

  private grant(setting: GroupSetting | undefined): string {
    if (setting === undefined) return 'not set';
    if (typeof setting === 'number') return this.group(setting);
    const { direct_members: members, direct_subgroups: groups } = setting;
    const parts = [...groups.map((id) => this.group(id)), ...members.map((id) => this.person(id))];
    return parts.length > 3
      ? `${counted(members.length, 'person')} and ${counted(groups.length, 'group')}`
      : listed(parts, 'nobody');
  }

  private named(kind: NamedKind, id: number): string {
    const name = this.names(kind, id);
    if (name === null || name === '') return `${kind === 'person' ? 'user' : kind} ${id}`;
    return `${kind === 'channel' ? '#' : ''}${plain(name)} (${id})`;
  }
}
