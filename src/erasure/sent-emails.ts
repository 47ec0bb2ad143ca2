import type { DirectoryFollower } from '../access/directory-follower.js';
import type { EmailMention } from '../contexts/mail/email.js';
import type { MailTransport } from '../contexts/mail/mail-transport.js';
import type { Vault } from '../stores/key-store/vault.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { revisionOfId } from '../kernel/ids.js';
import { MESSAGES_STREAM } from '../events/messages.js';
import type { PersonTraces } from './person-traces.js';

/** What {@link SentEmails} needs. */
interface SentEmailsOptions {
  readonly transport: Pick<MailTransport, 'forget' | 'subjects'>;
  readonly log: EventLog;
  readonly vault: Pick<Vault, 'areDestroyed'>;
  readonly follower: DirectoryFollower;
  readonly people: PersonTraces;
}

/** The e-mails in this process's outbox. Those that a mail server accepted cannot be removed. */
export class SentEmails {
  constructor(private readonly options: SentEmailsOptions) {}

  /** Removes e-mails that contain texts of these messages. */
  async forgetMessages(messageIds: readonly number[]): Promise<void> {
    await this.options.transport.forget(messageIds.map((id): EmailMention => `message:${id}`));
  }

  /** Removes e-mails to these people, and e-mails that name them. */
  async forgetPeople(userIds: readonly number[]): Promise<void> {
    const { transport, people } = this.options;
    for (const userId of userIds) {
      const invitations = await people.invitationsOf(userId);
      await transport.forget([
        `user:${userId}`,
        ...invitations.map((id): EmailMention => `invitation:${id}`),
      ]);
    }
  }

  /** Removes e-mails about what other processes erased while this one did not run. */
  async forgetErased(): Promise<void> {
    const { transport, follower } = this.options;
    const subjects = await transport.subjects();
    if (subjects.size === 0) return;
    const erased = [...follower.current().users()].filter(({ isErased }) => isErased === true);
    await this.forgetPeople(erased.map(({ id }) => id));
    const messageIds = [...subjects].flatMap((subject) => {
      const [kind, id] = subject.split(':');
      return kind === 'message' ? Number(id) : [];
    });
    await this.forgetMessages(await this.erasedAmong(messageIds));
  }

  private async erasedAmong(messageIds: readonly number[]): Promise<readonly number[]> {
    const { log, vault } = this.options;
    const erased: number[] = [];
    for (const id of messageIds) {
      const [sent] = await log.store.readStream(MESSAGES_STREAM, { from: revisionOfId(id), limit: 1 });
      if (sent !== undefined && (await vault.areDestroyed([sent.id]))) erased.push(id);
    }
    return erased;
  }
}
