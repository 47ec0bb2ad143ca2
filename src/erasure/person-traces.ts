import type { EventLog } from '../stores/event-store/event-log.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import { keyIdOf } from '../stores/event-store/event-reading.js';
import { decodeReadable, isReadable, type UnreadableEvent } from '../stores/event-store/readable-events.js';
import { eventsOfStream } from '../stores/event-store/stream-pages.js';
import type { RecordedEvent } from '../kernel/event.js';
import { invitationKey } from '../events/invitations.js';
import type { InvitationsReader } from '../contexts/invitations/invitations-reader.js';
import { MessageSent } from '../events/messages.js';
import { systemBotIds } from '../access/system-bots.js';
import { ReminderRequested } from '../events/personal.js';
import { uploadsStream } from '../contexts/uploads/uploads.state.js';
import { FileUploaded } from '../events/uploads.js';
import { idAtRevision } from '../kernel/ids.js';
import type { CoveredMessage } from '../audit/cases/covered-messages.js';
import { usersStream } from '../contexts/users/users.state.js';

/** What {@link PersonTraces} works with. */
export interface PersonTracesOptions {
  readonly log: EventLog;
  readonly invitations: Pick<InvitationsReader, 'all'>;
}

/** Finds in the log what says who a person was beside what they wrote themselves. */
export class PersonTraces {
  constructor(private readonly options: PersonTracesOptions) {}

  /**
   * Ids of the keys that are to go beside the person's own, which wraps those of everything they wrote: those of invitations and of
   * what the server wrote about them.
   */
  async keysOf(userId: number): Promise<readonly string[]> {
    const invitationIds = await this.invitationsOf(userId);
    return [...invitationIds.map(invitationKey), ...(await this.textsAbout(userId))];
  }

  /** Tells of a message whether it can be read in full no more once the person is erased. */
  async goesWith(userId: number): Promise<(message: CoveredMessage) => boolean> {
    const own = new Set<number>();
    for await (const { type, data, revision } of eventsOfStream(this.options.log.store, uploadsStream)) {
      if (type === FileUploaded.type && data['uploaderId'] === userId) own.add(idAtRevision(revision));
    }
    return ({ senderId, versions }) =>
      senderId === userId ||
      versions.some(({ uploadIds }) => uploadIds.some((id) => own.has(id))) ||
      (botIds.has(senderId) && versions.some(({ content }) => content.includes(mentionEnd(userId))));
  }

  /** Ids of the invitations to any address that the person had, and by them. */
  async invitationsOf(userId: number): Promise<readonly number[]> {
    const digests = new Set<unknown>();
    for await (const { data } of eventsOfStream(this.options.log.store, usersStream)) {
      if (data['userId'] === userId && typeof data['emailDigest'] === 'string')
        digests.add(data['emailDigest']);
    }
    const { byId } = await this.options.invitations.all();
    return [...byId.values()].flatMap(({ id, emailDigest, inviterId }) =>
      inviterId === userId || digests.has(emailDigest) ? id : [],
    );
  }

  /** Notices and reminders that name the person: their names stand in the text, as everyone's do who is mentioned. */
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

/** The server always names people with their ids. What nobody can read any more tells nobody's name. */
function names(event: RecordedEvent | UnreadableEvent | undefined, userId: number): boolean {
  if (event === undefined || !isReadable(event)) return false;
  return (event.data as { readonly content: string }).content.includes(mentionEnd(userId));
}

function mentionEnd(userId: number): string {
  return `|${userId}**`;
}
