import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Moment } from '../../../access/moment.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { AfterReply } from '../../../http/after-reply.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { EmailLookup } from '../../users/email-lookup.js';
import { roles } from '../../../access/records/roles.js';
import { joiningAddress } from '../address-rules.js';
import type { InvitationEvent } from '../../../events/invitations.js';
import { InvitationChanges } from '../invitation-changes.js';
import { lettersOn, type Invitations } from '../invitations.js';
import { JoinLinks } from '../join-links.js';
import { assertIsOpen } from '../open-invitation.js';
import { expiryOf, InvitationPolicy } from '../validity.js';

/**
 * Asks for a letter with a link by which an account is made for an address: so nobody joins in somebody else's name. What is
 * answered does not say whether the address has an account.
 */
export class RequestSignUp extends Command<void> {
  constructor(
    readonly request: {
      /** Of a reusable link; null where people may join by themselves. */
      readonly token: string | null;
      readonly email: string;
    },
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

/** Letters that anybody may cause to be sent to one address in a day. */
const mostLettersToOne = 3;

type Sent = Extract<InvitationEvent, { type: 'InvitationSent' }>['data'];

/** Nothing happens when the address, or the day, has had its letters. */
export function decideRequestSignUp(
  state: Invitations,
  invitation: Omit<Sent, 'invitationId'>,
  { now, perDay }: { readonly now: number; readonly perDay: number },
): readonly InvitationEvent[] {
  const { all, byDigest } = lettersOn(state, now);
  if (perDay > 0 && all >= perDay) return [];
  if ((byDigest.get(invitation.emailDigest) ?? 0) >= mostLettersToOne) return [];
  return [
    { type: 'InvitationSent', data: { invitationId: idAtRevision(state.nextRevision), ...invitation } },
  ];
}

@CommandHandler(RequestSignUp)
export class RequestSignUpHandler implements ICommandHandler<RequestSignUp> {
  constructor(
    private readonly invitations: InvitationChanges,
    private readonly links: JoinLinks,
    private readonly emails: EmailLookup,
    private readonly policy: InvitationPolicy,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
    private readonly afterReply: AfterReply,
  ) {}

  /** @throws ApplicationError `invitationInvalid`, `invitationRequired`, or those of {@link joiningAddress} */
  async execute({ request: { token, email: sent }, client }: RequestSignUp): Promise<void> {
    const moment = { directory: this.follower.current(), now: this.clock.now() };
    const { now } = moment;
    const promise = token === null ? openPromise(moment) : await this.promiseOf(token, moment);
    const email = joiningAddress(moment, sent);
    const emailDigest = this.emails.digest(email);
    const expiresAt = expiryOf(undefined, this.policy, now);
    this.afterReply.run(() => this.invite({ ...promise, email, emailDigest, expiresAt }, { now, client }));
  }

  /** Not before the reply, whose time would tell who has an account. */
  private async invite(
    invitation: Omit<Sent, 'invitationId'>,
    { now, client }: { readonly now: number; readonly client: string },
  ): Promise<void> {
    if (this.follower.current().userByEmailDigest(invitation.emailDigest) !== null) return;
    const { perDay } = this.policy;
    await this.invitations.apply({ userId: null, client }, (state) =>
      decideRequestSignUp(state, invitation, { now, perDay }),
    );
  }

  private async promiseOf(token: string, moment: Moment): Promise<Promised> {
    const opened = this.links.open(token);
    const all = await this.invitations.all();
    const link = opened?.kind === 'link' ? all.byId.get(opened.id) : undefined;
    if (link === undefined) throw failure('invitationInvalid');
    assertIsOpen(link, all, moment);
    const { id: linkId, inviterId, terms, notifyInviter } = link;
    const { welcomeText } = (await this.invitations.making(linkId)).data;
    return { linkId, inviterId, terms, notifyInviter, welcomeText };
  }
}

/** What whoever asks is promised, but for their address. */
type Promised = Omit<Sent, 'invitationId' | 'email' | 'emailDigest' | 'expiresAt'>;

/** What people who join by themselves get; where the organization lets them. */
function openPromise({ directory: { organization } }: Moment): Promised {
  if (organization?.settings.invite_required !== false) throw failure('invitationRequired');
  const terms = { role: roles.member, channelIds: [], groupIds: [], includeDefaultChannels: true };
  return { linkId: null, inviterId: null, terms, welcomeText: null, notifyInviter: false };
}
