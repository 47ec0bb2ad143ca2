import { Secret, TOTP } from 'otpauth';
import type { ApiClient } from './api-client.js';

/** What an authenticator app shows. */
export function codeAt(secret: string, milliseconds: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: milliseconds });
}

/** A second factor that is enabled, with codes of which each is of a time step of its own: none is taken twice. */
export interface Enrolment {
  readonly secret: string;
  /** The code that confirmed it. */
  readonly used: string;
  /** The code of the step after that, which is taken early. */
  readonly next: string;
  readonly recovery: readonly string[];
}

/** Sets up a second factor as an app would. */
export async function enrol(client: ApiClient, password: string): Promise<Enrolment> {
  const begun = await client.must('post', 'users/me/second_factor', { password });
  const secret = begun['secret'] as string;
  const now = Date.now();
  const [used, next] = [codeAt(secret, now), codeAt(secret, now + 30_000)];
  const reply = await client.must('post', 'users/me/second_factor/confirm', { code: used });
  return { secret, used, next, recovery: reply['recovery_codes'] as string[] };
}
