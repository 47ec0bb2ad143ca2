import { Injectable } from '@nestjs/common';
import type { LogInFailuresCounted, SecurityEvent } from '../../../events/security.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import type { EventOf } from '../../../kernel/event.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { requestMetadata, SERVER_CLIENT } from '../../../stores/event-store/command-metadata.js';
import { Decisions } from '../../../http/decisions.js';
import { apiKeyDigest, apiKeyId } from '../api-keys.js';
import { decideCountLogInFailures, decideLogInFailures, type FailedLogIn } from './log-in-failures.decide.js';
import { securityOf } from './log-in-failures.state.js';
import { decideIssueApiKey } from './security-records.decide.js';

/** How a key was issued. */
interface IssuedKey {
  readonly userId: number;
  /** The key itself; only its id is recorded. */
  readonly apiKey: string;
  readonly reason: Extract<SecurityEvent, { type: 'ApiKeyIssued' }>['data']['reason'];
}

/**
 * Records who logs in to accounts, and who tries to. IP address and client program are only in erasable
 * fields.
 */
@Injectable()
export class SecurityRecords {
  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Appends security events of an account.
   *
   * @param actorId null: unknown
   */
  async record(events: readonly SecurityEvent[], actorId: number | null): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    await this.decisions.record(this.metadata(actorId), securityOf(first.data.userId), () => events);
  }

  /** Records that a key was issued to the person who requested it. */
  async keyIssued(
    { userId, apiKey, reason }: IssuedKey,
    origin: RequestOrigin,
    actorId: number | null,
  ): Promise<void> {
    const keyId = apiKeyId(apiKeyDigest(apiKey));
    await this.record(decideIssueApiKey({ userId, reason, keyId, ...origin }), actorId);
  }

  /**
   * Records as many failed log-ins as the budget allows.
   *
   * @param at when they failed, in milliseconds since the UNIX epoch
   * @returns how many of the first ones it recorded
   */
  async failures(userId: number, failures: readonly FailedLogIn[], at: number): Promise<number> {
    const metadata = { ...this.metadata(null), at };
    const events = await this.decisions.record(metadata, securityOf(userId), (state) =>
      decideLogInFailures(state, { userId, failures }, at),
    );
    return events.length;
  }

  /** Records how many further log-ins failed. */
  async furtherFailures(counted: EventOf<typeof LogInFailuresCounted>['data']): Promise<void> {
    await this.record(decideCountLogInFailures(counted), null);
  }

  /** The name of the client program is in the event's data, where it can be erased, not in the metadata. */
  private metadata(actorId: number | null): ReturnType<typeof requestMetadata> {
    return requestMetadata({ userId: actorId, client: SERVER_CLIENT }, this.clock.now());
  }
}
