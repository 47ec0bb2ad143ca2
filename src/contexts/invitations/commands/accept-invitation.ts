import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import { failure } from '../../../kernel/errors.js';
import { isEvent } from '../../../kernel/event.js';
import { idAtRevision, revisionOfId } from '../../../kernel/ids.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { Accounts } from '../../users/accounts.js';
import { Credentials } from '../../users/credentials.js';
import { UserRegistered, type UserEvent } from '../../../events/users.js';
import { fullNameOf } from '../../users/full-name.js';
import { PasswordPolicy } from '../../users/password-policy.js';
import { SecurityRecords } from '../../users/security/security-records.js';
import { usersStream, type UserDirectory } from '../../users/user-directory.js';
import type { User } from '../../../access/records/user.js';
import { joiningAddress } from '../address-rules.js';
import { InvitationChanges } from '../invitation-changes.js';
import type { Invitation, Invitations } from '../invitations.js';
import { JoinLinks } from '../join-links.js';
import { AdmitInvited, type Registered } from '../reactors/admit-invited.js';
import { assertIsOpen } from '../open-invitation.js';

/** Somebody who has joined, with a key of their own. */
export interface Joined {
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

/** Makes the account that an invitation is for. */
export class AcceptInvitation extends Command<Joined> {
  constructor(
    readonly request: { readonly token: string; readonly fullName: string; readonly password: string },
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}

/** What a new account is made of. */
export interface Newcomer {
  readonly email: string;
  readonly emailDigest: string;
  readonly fullName: string;
  readonly role: User['role'];
}

/** @throws ApplicationError `emailTaken` */
export function decideJoin(state: UserDirectory, newcomer: Newcomer): readonly UserEvent[] {
  if (state.idsByEmailDigest.has(newcomer.emailDigest)) throw failure('emailTaken');
  const userId = idAtRevision(state.nextRevision);
  const data = { userId, ...newcomer, bot: null, awaitsFirstLogin: false };
  return [{ type: 'UserRegistered', data }];
}

@CommandHandler(AcceptInvitation)
export class AcceptInvitationHandler implements ICommandHandler<AcceptInvitation> {
  constructor(
    private readonly invitations: InvitationChanges,
    private readonly links: JoinLinks,
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly policy: PasswordPolicy,
    private readonly admission: AdmitInvited,
    private readonly follower: DirectoryFollower,
    private readonly log: EventLog,
    private readonly clock: SystemClock,
    private readonly records: SecurityRecords,
  ) {}

  /** @throws ApplicationError `invitationInvalid`, `emailTaken`, or those of {@link fullNameOf}, {@link PasswordPolicy} */
  async execute({ request: { token, fullName, password }, origin }: AcceptInvitation): Promise<Joined> {
    const { client } = origin;
    const opened = this.links.open(token);
    const all = await this.invitations.all();
    const invitation = opened?.kind === 'invitation' ? all.byId.get(opened.id) : undefined;
    if (invitation === undefined) throw failure('invitationInvalid');
    const name = fullNameOf(fullName);
    const moment = { directory: this.follower.current(), now: this.clock.now() };
    const unfinished = await this.unfinished(invitation);
    if (unfinished === null) assertIsOpen(invitation, all, moment);
    const making = await this.invitations.making(invitation.id);
    const invited = making.type === 'InvitationSent' ? making.data.email : '';
    await this.policy.assertAcceptable(password, { email: invited, fullName: name });
    const registered = unfinished ?? (await this.register(invitation, all, { name, client }));
    const { userId, email } = registered.data;
    // Of those who send the form at once, one sets the password: the others come too late.
    if (!(await this.credentials.setFirstPassword(userId, password))) throw failure('emailTaken');
    await this.admission.admit(registered);
    const { key: apiKey } = await this.credentials.issueKey({ id: userId, bot: null }, client);
    await this.records.keyIssued({ userId, apiKey, reason: 'joined' }, origin, userId);
    return { userId, email, apiKey };
  }

  private async register(
    invitation: Invitation,
    all: Invitations,
    { name, client }: { readonly name: string; readonly client: string },
  ): Promise<Registered> {
    const at = this.clock.now();
    const moment = { directory: this.follower.current(), now: at };
    assertIsOpen(invitation, all, moment);
    const making = await this.invitations.making(invitation.id);
    if (making.type !== 'InvitationSent' || making.erased) throw failure('invitationInvalid');
    const { email, emailDigest } = making.data;
    joiningAddress(moment, email);
    const newcomer = { email, emailDigest, fullName: name, role: invitation.terms.role };
    const [registered] = await this.accounts.decideAs(
      {
        actorId: null,
        commandId: randomCommandId(),
        causationId: invitation.eventId,
        client,
        at,
      },
      (state) => decideJoin(state, newcomer),
    );
    if (registered === undefined) throw failure('internalError');
    return registered as Registered;
  }

  /**
   * The account that this invitation made before, where a crash came before its password, which is kept apart from the log: whoever
   * then sends the form again finishes it. Null when there is none, or somebody can log in to it.
   */
  private async unfinished({ eventId, emailDigest }: Invitation): Promise<Registered | null> {
    const { idsByEmailDigest } = await this.accounts.all();
    const userId = idsByEmailDigest.get(emailDigest ?? '');
    if (userId === undefined || !(await this.credentials.hasNone(userId))) return null;
    const [event] = await this.log.readStream(usersStream, { from: revisionOfId(userId), limit: 1 });
    return isEvent(event, UserRegistered) && event.metadata.causationId === eventId ? event : null;
  }
}
