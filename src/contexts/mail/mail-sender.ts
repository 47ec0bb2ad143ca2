import type { DirectoryFollower } from '../../access/directory-follower.js';
import type { PublicAddress } from '../../http/public-address.js';

/** The sender of e-mails. */
export class MailSender {
  constructor(
    /** The configured sender; null: the organization's name, at the server's domain. */
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
