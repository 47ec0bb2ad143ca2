import type { DirectoryFollower } from '../../access/directory-follower.js';
import type { PublicAddress } from '../../http/public-address.js';

/** In whose name e-mails are written. */
export class MailSender {
  constructor(
    /** What the configuration says; null: the organization, at the server's own name. */
    private readonly configured: string | null,
    private readonly follower: Pick<DirectoryFollower, 'current'>,
    private readonly publicAddress: Pick<PublicAddress, 'domain'>,
  ) {}

  /** `name <address>`. */
  address(): string {
    if (this.configured !== null) return this.configured;
    const name = this.follower.current().organizationName;
    return `"${name.replaceAll(/["\\\p{Cc}]/gu, '')}" <noreply@${this.publicAddress.domain}>`;
  }
}
