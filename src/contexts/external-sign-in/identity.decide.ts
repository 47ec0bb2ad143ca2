import { assertAddressMayJoin } from '../../access/records/allowed-domains.js';
import type { Snapshot } from '../../access/snapshot.js';
import { roles } from '../../access/records/roles.js';
import type { RegisteringDomain } from '../../configuration/open-id-configuration.js';
import type { ExternalSignInEvent } from '../../events/external-sign-in.js';
import type { UserEvent } from '../../events/users.js';
import { ApplicationError, failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import { emailAddressOf } from '../users/email-address.js';
import { assertNameIsFree, fullNameOf } from '../users/names.js';
import type { UserDirectory } from '../users/users.state.js';
import type { LinkedIdentity } from './linked-identity.state.js';

/** A person's identity at the provider. */
export interface ExternalIdentity {
  /** The provider's permanent id for the person. */
  readonly subject: string;
  /** An address that the provider has verified. */
  readonly email: string;
  /** The person's names at the provider, the best first; any may be invalid here. */
  readonly names: readonly string[];
}

/** No events when the person signs in with the same identity as the last time. */
export function decideLinkIdentity(
  linked: LinkedIdentity,
  data: ExternalSignInEvent['data'],
): readonly ExternalSignInEvent[] {
  return linked === data.subjectDigest ? [] : [{ type: 'ExternalIdentityLinked', data }];
}

/** A person without an account whom the provider identified. */
interface ExternalNewcomer {
  readonly identity: Pick<ExternalIdentity, 'email' | 'names'>;
  readonly emailDigest: string;
}

/**
 * Registers a person whose domain is open for registration. The organization's rules about addresses and
 * names apply.
 *
 * @throws ApplicationError `externalDomainNotRegistered`, `emailTaken`, `emailInvalid`, `nameTaken`, or those
 * of {@link assertAddressMayJoin}
 */
export function decideRegisterExternally(
  state: UserDirectory,
  { identity, emailDigest }: ExternalNewcomer,
  {
    registering,
    snapshot,
  }: { readonly registering: readonly RegisteringDomain[]; readonly snapshot: Snapshot },
): readonly UserEvent[] {
  const email = emailAddressOf(identity.email);
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const terms = registering.find((known) => known.domain === domain);
  if (terms === undefined) throw failure('externalDomainNotRegistered');
  const { organization } = snapshot.directory;
  if (organization !== null) assertAddressMayJoin(organization, email);
  if (state.idsByEmailDigest.has(emailDigest)) throw failure('emailTaken');
  const fullName = nameOf(identity);
  assertNameIsFree(state, fullName, { userId: null, snapshot });
  const data = {
    userId: idAtRevision(state.nextRevision),
    email,
    emailDigest,
    fullName,
    role: roles[terms.role],
    bot: null,
    awaitsFirstLogin: false,
  };
  return [{ type: 'UserRegistered', data }];
}

/**
 * The first name that is valid here after removing invalid characters; else the part of the address before
 * the @.
 */
export function nameOf({ email, names }: Pick<ExternalIdentity, 'email' | 'names'>): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  for (const name of [...names, local]) {
    const fit = fitName(name);
    if (fit !== null) return fit;
  }
  return fullNameOf(`${local.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(0, 20)} (${domain.slice(0, 60)})`);
}

function fitName(name: string): string | null {
  const shortened = [
    ...name
      .replaceAll(/[*`\\>"@|\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ].slice(0, 100);
  try {
    return fullNameOf(shortened.join(''));
  } catch (error) {
    if (error instanceof ApplicationError) return null;
    throw error;
  }
}
