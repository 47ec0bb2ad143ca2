import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { failure } from '../../kernel/errors.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { defaultOrganizationSettings } from '../../events/values/organization-settings.js';
import { assertAcceptablePassword } from './password.js';
import { PasswordStrength } from './password-strength.js';

/** The person who is to have the password. */
export interface PasswordOwner {
  readonly email: string;
  readonly fullName: string;
}

/** The organization's rules for passwords. Existing passwords stay valid. */
@Injectable()
export class PasswordPolicy implements OnApplicationShutdown {
  constructor(
    private readonly follower: DirectoryFollower,
    @Inject(PasswordStrength) private readonly strength: Pick<PasswordStrength, 'guesses' | 'close'>,
  ) {}

  /** @throws ApplicationError `passwordTooWeak`, or those of {@link assertAcceptablePassword} */
  async assertAcceptable(password: string, { email, fullName }: PasswordOwner): Promise<void> {
    assertAcceptablePassword(password);
    const settings = this.follower.current().organization?.settings ?? defaultOrganizationSettings;
    const { password_min_guesses: enough, name } = settings;
    if (enough === 0) return;
    const related = [email, ...email.split(/[@.+_-]/), fullName, ...fullName.split(' '), name];
    const guesses = await this.strength.guesses({ password, related: related.filter(isWord), enough });
    if (guesses < enough) throw failure('passwordTooWeak');
  }

  onApplicationShutdown(): void {
    this.strength.close();
  }
}

function isWord(text: string): boolean {
  return text.length > 2;
}
