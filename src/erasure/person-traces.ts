import type { EventLog } from '../stores/event-store/event-log.js';
import { eventsOfStream, type PersistedEvent } from '../stores/event-store/port.js';
import { keyIdOf } from '../stores/event-store/event-reading.js';
import { decodeReadable, isReadable, type UnreadableEvent } from '../stores/event-store/readable-events.js';
import type { RecordedEvent } from '../kernel/event.js';
import { invitationKey } from '../events/invitations.js';
import type { InvitationsReader } from '../contexts/invitations/invitations-reader.js';
import { MessageSent } from '../events/messages.js';
import { systemBotIds } from '../access/system-bots.js';
import { ReminderRequested } from '../events/personal.js';
import { UPLOADS_STREAM } from '../contexts/uploads/uploads.state.js';
import { FileUploaded } from '../events/uploads.js';
import { idAtRevision } from '../kernel/ids.js';
import type { CoveredMessage } from '../audit/cases/covered-messages.js';
import { USERS_STREAM } from '../contexts/users/users.state.js';

/** What {@link PersonTraces} needs. */
interface PersonTracesOptions {
  readonly log: EventLog;
  readonly invitations: Pick<InvitationsReader, 'all'>;
}

/** Finds events in the log that identify a person, other than what that person wrote. */
export class PersonTraces {
  constructor(private readonly options: PersonTracesOptions) {}

  /**
   * Ids of the keys to destroy beside the person's own key, which wraps the keys of everything the person wrote: those of invitations and
   * of the server's texts about the person.
   */
  async keysOf(userId: number): Promise<readonly string[]> {
    const invitationIds = await this.invitationsOf(userId);
    return [...invitationIds.map(invitationKey), ...(await this.textsAbout(userId))];
  }

  /** Returns a function that says whether a message becomes at least partly unreadable when the person is erased. */
  async goesWith(userId: number): Promise<(message: CoveredMessage) => boolean> {
    const own = new Set<number>();
    for await (const { type, data, revision } of eventsOfStream(this.options.log.store, UPLOADS_STREAM)) {
      if (type === FileUploaded.type && data['uploaderId'] === userId) own.add(idAtRevision(revision));
    }
    return ({ senderId, versions }) =>
      senderId === userId ||
      versions.some(({ uploadIds }) => uploadIds.some((id) => own.has(id))) ||
      (botIds.has(senderId) && versions.some(({ content }) => content.includes(mentionEnd(userId))));
  }

  /** Ids of the invitations sent to any address of the person, and of those the person sent. */
  async invitationsOf(userId: number): Promise<readonly number[]> {
    const digests = new Set<unknown>();
    for await (const { data } of eventsOfStream(this.options.log.store, USERS_STREAM)) {
      if (data['userId'] === userId && typeof data['emailDigest'] === 'string')
        digests.add(data['emailDigest']);
    }
    const { byId } = await this.options.invitations.all();
    return [...byId.values()].flatMap(({ id, emailDigest, inviterId }) =>
      inviterId === userId || digests.has(emailDigest) ? id : [],
    );
  }

  /** Notices and reminders that mention the person: the mention contains the name. */
  private async textsAbout(userId: number): Promise<readonly string[]> {
    const { log } = this.options;
    const keys: string[] = [];
    const part = { after: null, types: [MessageSent.type, ReminderRequested.type] };
    for await (const { events } of log.store.readAll(part)) {
      const written = events.filter(isWrittenByServer);
      const decoded = await decodeReadable(log, written);
      written.forEach((event, index) => {
        const key = keyIdOf(event);
        if (key !== null && names(decoded[index], userId)) keys.push(key);
      });
    }
    return keys;
  }
}

const botIds: ReadonlySet<unknown> = new Set(Object.values(systemBotIds));

function isWrittenByServer({ type, data }: PersistedEvent): boolean {
  return type === ReminderRequested.type || botIds.has(data['senderId']);
}

/** In its own texts the server always mentions people with their ids. An unreadable event names nobody. */
function names(event: RecordedEvent | UnreadableEvent | undefined, userId: number): boolean {
  if (event === undefined || !isReadable(event)) return false;
  return (event.data as { readonly content: string }).content.includes(mentionEnd(userId));
}

function mentionEnd(userId: number): string {
  return `|${userId}**`;
}
