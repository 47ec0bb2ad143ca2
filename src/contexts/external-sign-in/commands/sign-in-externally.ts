import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { User } from '../../../access/records/user.js';
import { failure } from '../../../kernel/errors.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { Vault } from '../../../stores/key-store/vault.js';
import type { UserEvent } from '../../../events/users.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedUsers } from '../../users/users.state.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { decideLinkIdentity, decideRegisterExternally, type ExternalIdentity } from '../identity.decide.js';
import { linkedIdentityOf } from '../linked-identity.state.js';
import { OpenIdProvider } from '../open-id-provider.js';

/**
 * Finds or creates the account of a person whom the provider identified. Returns it; no key is issued yet.
 */
export class SignInExternally extends Command<User> {
  constructor(
    readonly identity: ExternalIdentity,
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

@CommandHandler(SignInExternally)
export class SignInExternallyHandler implements ICommandHandler<SignInExternally> {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly follower: DirectoryFollower,
    private readonly vault: Vault,
  ) {}

  /**
   * @throws ApplicationError `organizationDeactivated`, `userDeactivated`, `authenticationFailed` for the
   * address of a bot, or those of {@link decideRegisterExternally}; ModelBehindError while the
   * directory lags: the account exists then, and the next sign-in finds it
   */
  async execute({ identity, client }: SignInExternally): Promise<User> {
    if (this.follower.current().isDeactivated) throw failure('organizationDeactivated');
    const known = this.emails.findIdentical(this.follower.current(), identity.email);
    const registered = known === null ? await this.register(identity, client) : null;
    const user = known ?? this.emails.findIdentical(this.follower.current(), identity.email);
    if (user?.bot !== null) throw failure('authenticationFailed');
    if (!user.isActive) throw failure('userDeactivated');
    await this.link(user, identity, { client, registered });
    return user;
  }

  private async register(identity: ExternalIdentity, client: string): Promise<RecordedEvent> {
    const snapshot = this.decisions.snapshot();
    const { registering } = this.provider.configuration;
    const newcomer = { identity, emailDigest: this.emails.digest(identity.email) };
    const {
      events: [registered],
    } = await this.decisions.decideAs(
      requestMetadata({ userId: null, client }, snapshot.now),
      foldedUsers,
      (state): readonly UserEvent[] => decideRegisterExternally(state, newcomer, { registering, snapshot }),
    );
    if (registered === undefined) throw new Error('A registration always appends');
    await this.follower.waitForEvent(registered);
    return registered;
  }

  private async link(
    { id: userId }: User,
    { subject }: ExternalIdentity,
    { client, registered }: { readonly client: string; readonly registered: RecordedEvent | null },
  ): Promise<void> {
    const { issuer } = this.provider.configuration;
    const subjectDigest = this.vault.linkDigest('external-identity', `${issuer}\n${subject}`);
    const { now } = this.decisions.snapshot();
    const metadata = { ...requestMetadata({ userId, client }, now), causationId: registered?.id ?? null };
    await this.decisions.decideAs(metadata, linkedIdentityOf(userId), (linked) =>
      decideLinkIdentity(linked, { userId, issuer, subjectDigest, isRegistration: registered !== null }),
    );
  }
}
