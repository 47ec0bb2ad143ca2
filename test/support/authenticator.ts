import { Secret, TOTP } from 'otpauth';
import type { ApiClient } from './api-client.js';

/** The code of an authenticator app at a time. */
export function codeAt(secret: string, milliseconds: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: milliseconds });
}

/** An enabled second factor, with codes of different time steps, because each step can be used only once. */
export interface Enrolment {
  readonly secret: string;
  /** The code that confirmed it. */
  readonly used: string;
  /** The code of the next step, which is accepted early. */
  readonly next: string;
  readonly recovery: readonly string[];
}

/** Sets up a second factor like an authenticator app. */
export async function enrol(client: ApiClient, password: string): Promise<Enrolment> {
  const begun = await client.must('post', 'users/me/second_factor', { password });
  const secret = begun['secret'] as string;
  const now = Date.now();
  const [used, next] = [codeAt(secret, now), codeAt(secret, now + 30_000)];
  const reply = await client.must('post', 'users/me/second_factor/confirm', { code: used });
  return { secret, used, next, recovery: reply['recovery_codes'] as string[] };
}
