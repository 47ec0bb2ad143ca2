import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Snapshot } from '../../../access/snapshot.js';
import { failure } from '../../../kernel/errors.js';
import { AfterReply } from '../../../http/after-reply.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { roles } from '../../../access/records/roles.js';
import { joiningAddress } from '../address-rules.js';
import { InvitationsReader } from '../invitations-reader.js';
import { JoinLinks } from '../join-links.js';
import { assertIsOpen } from '../open-invitation.decide.js';
import { expiryOf, InvitationPolicy } from '../validity.js';
import { type Sent, decideRequestSignUp, decideJoin } from '../joining.decide.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import { isEvent } from '../../../kernel/event.js';
import { revisionOfId } from '../../../kernel/ids.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import { networkOf } from '../../../http/limits/request-limits.js';
import { Decisions } from '../../../http/decisions.js';
import { Credentials } from '../../users/credentials.js';
import { UserRegistered } from '../../../events/users.js';
import { fullNameOf } from '../../users/names.js';
import { PasswordPolicy } from '../../users/password-policy.js';
import { SecurityRecords } from '../../users/security/security-records.js';
import { foldedUsers, USERS_STREAM } from '../../users/users.state.js';
import { foldedInvitations, type Invitation, type Invitations } from '../invitations.state.js';
import { AdmitInvited, type Registered } from '../reactors/admit-invited.js';

/**
 * Requests an e-mail with a link by which an account is created for an address, which proves that the address
 * is the person's. The reply does not reveal whether the address has an account.
 */
export class RequestSignUp extends Command<void> {
  constructor(
    readonly request: {
      /** Token of a reusable link; null where people may join without one. */
      readonly token: string | null;
      readonly email: string;
    },
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

@CommandHandler(RequestSignUp)
export class RequestSignUpHandler implements ICommandHandler<RequestSignUp> {
  constructor(
    private readonly invitations: InvitationsReader,
    private readonly decisions: Decisions,
    private readonly links: JoinLinks,
    private readonly emails: EmailLookup,
    private readonly policy: InvitationPolicy,
    private readonly afterReply: AfterReply,
  ) {}

  /**
   * @throws ApplicationError `invitationInvalid`, `invitationRequired`, or those of {@link joiningAddress}
   */
  async execute({ request: { token, email: sent }, client }: RequestSignUp): Promise<void> {
    const snapshot = this.decisions.snapshot();
    const { now } = snapshot;
    const promise = token === null ? openPromise(snapshot) : await this.promiseOf(token, snapshot);
    const email = joiningAddress(snapshot, sent);
    const emailDigest = this.emails.digest(email);
    const expiresAt = expiryOf(undefined, this.policy, now);
    this.afterReply.run(() => this.invite({ ...promise, email, emailDigest, expiresAt }, { now, client }));
  }

  /** Runs after the reply, whose duration would reveal whether there is an account. */
  private async invite(
    invitation: Omit<Sent, 'invitationId'>,
    { now, client }: { readonly now: number; readonly client: string },
  ): Promise<void> {
    if (this.decisions.snapshot().directory.userByEmailDigest(invitation.emailDigest) !== null) return;
    const { perDay } = this.policy;
    const metadata = requestMetadata({ userId: null, client }, this.decisions.snapshot().now);
    await this.decisions.decideAs(metadata, foldedInvitations, (state) =>
      decideRequestSignUp(state, invitation, { now, perDay }),
    );
  }

  private async promiseOf(token: string, snapshot: Snapshot): Promise<Promised> {
    const opened = this.links.open(token);
    const all = await this.invitations.all();
    const link = opened?.kind === 'link' ? all.byId.get(opened.id) : undefined;
    if (link === undefined) throw failure('invitationInvalid');
    assertIsOpen(link, all, snapshot);
    const { id: linkId, inviterId, terms, notifyInviter } = link;
    const { welcomeText } = (await this.invitations.making(linkId)).data;
    return { linkId, inviterId, terms, notifyInviter, welcomeText };
  }
}

/** The terms of the invitation, without its address. */
type Promised = Omit<Sent, 'invitationId' | 'email' | 'emailDigest' | 'expiresAt'>;

/** The terms for people who join without an invitation, if the organization allows that. */
function openPromise({ directory: { organization } }: Snapshot): Promised {
  if (organization?.settings.invite_required !== false) throw failure('invitationRequired');
  const terms = { role: roles.member, channelIds: [], groupIds: [], includeDefaultChannels: true };
  return { linkId: null, inviterId: null, terms, welcomeText: null, notifyInviter: false };
}

/** A person who has joined, with a new key. */
interface Joined {
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

/** Creates the account of an invitation. */
export class AcceptInvitation extends Command<Joined> {
  constructor(
    readonly request: { readonly token: string; readonly fullName: string; readonly password: string },
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}

@CommandHandler(AcceptInvitation)
export class AcceptInvitationHandler implements ICommandHandler<AcceptInvitation> {
  constructor(
    private readonly invitations: InvitationsReader,
    private readonly decisions: Decisions,
    private readonly links: JoinLinks,
    private readonly credentials: Credentials,
    private readonly policy: PasswordPolicy,
    private readonly admission: AdmitInvited,
    private readonly log: EventLog,
    private readonly records: SecurityRecords,
  ) {}

  /** @throws ApplicationError `invitationInvalid`, or those of {@link fullNameOf}, {@link PasswordPolicy}, {@link decideJoin} */
  async execute({ request: { token, fullName, password }, origin }: AcceptInvitation): Promise<Joined> {
    const { client } = origin;
    const opened = this.links.open(token);
    const all = await this.invitations.all();
    const invitation = opened?.kind === 'invitation' ? all.byId.get(opened.id) : undefined;
    if (invitation === undefined) throw failure('invitationInvalid');
    const name = fullNameOf(fullName);
    const snapshot = this.decisions.snapshot();
    const unfinished = await this.unfinished(invitation);
    if (unfinished === null) assertIsOpen(invitation, all, snapshot);
    const making = await this.invitations.making(invitation.id);
    const invited = making.type === 'InvitationSent' ? making.data.email : '';
    const owner = { email: invited, fullName: name };
    await this.policy.assertAcceptable(password, owner, networkOf(origin.address));
    const registered = unfinished ?? (await this.register(invitation, all, { name, client }));
    const { userId, email } = registered.data;
    // Of concurrent requests only one sets the password; the others fail.
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
    const snapshot = this.decisions.snapshot();
    assertIsOpen(invitation, all, snapshot);
    const making = await this.invitations.making(invitation.id);
    if (making.type !== 'InvitationSent' || making.erased) throw failure('invitationInvalid');
    const { email, emailDigest } = making.data;
    joiningAddress(snapshot, email);
    const newcomer = { email, emailDigest, fullName: name, role: invitation.terms.role };
    const {
      events: [registered],
    } = await this.decisions.decideAs(
      {
        actorId: null,
        commandId: randomCommandId(),
        causationId: invitation.eventId,
        client,
        at: snapshot.now,
      },
      foldedUsers,
      (state) => decideJoin(state, newcomer, snapshot),
    );
    if (registered === undefined) throw failure('internalError');
    return registered as Registered;
  }

  /**
   * The account that this invitation created before a crash, which came before the password was stored.
   * Sending the form again then completes it. Null when there is none, it was deactivated since, or somebody can log in to it.
   */
  private async unfinished({ eventId, emailDigest }: Invitation): Promise<Registered | null> {
    const { idsByEmailDigest, users } = await this.decisions.load(foldedUsers);
    const userId = idsByEmailDigest.get(emailDigest ?? '');
    if (
      userId === undefined ||
      users.get(userId)?.isActive !== true ||
      !(await this.credentials.hasNone(userId))
    )
      return null;
    const [event] = await this.log.readStream(USERS_STREAM, { from: revisionOfId(userId), limit: 1 });
    return isEvent(event, UserRegistered) && event.metadata.causationId === eventId ? event : null;
  }
}
