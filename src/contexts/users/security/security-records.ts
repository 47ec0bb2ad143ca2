import { Injectable } from '@nestjs/common';
import { LogInFailuresCounted, type SecurityEvent } from '../../../events/security.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import type { EventOf } from '../../../kernel/event.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { requestMetadata, serverClient } from '../../../stores/event-store/command-metadata.js';
import { Decisions } from '../../../http/decisions.js';
import { apiKeyDigest, apiKeyId } from '../api-key.js';
import { decideLogInFailures, type FailedLogIn } from './log-in-failures.decide.js';
import { securityOf } from './log-in-failures.state.js';

/** How a key came to be given out. */
export interface IssuedKey {
  readonly userId: number;
  /** The key itself: only its id is recorded. */
  readonly apiKey: string;
  readonly reason: Extract<SecurityEvent, { type: 'ApiKeyIssued' }>['data']['reason'];
}

/** Records who gets into accounts, and who tries to. Where from, and with which program, stands in erasable fields alone. */
@Injectable()
export class SecurityRecords {
  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Records what happened to an account.
   *
   * @param actorId who did it; null: nobody knows
   */
  async record(events: readonly SecurityEvent[], actorId: number | null): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    await this.decisions.decideAs(this.metadata(actorId), securityOf(first.data.userId), () => events);
  }

  /** Records that a key was given out to whoever asked for it. */
  async keyIssued(
    { userId, apiKey, reason }: IssuedKey,
    origin: RequestOrigin,
    actorId: number | null,
  ): Promise<void> {
    const keyId = apiKeyId(apiKeyDigest(apiKey));
    await this.record([{ type: 'ApiKeyIssued', data: { userId, reason, keyId, ...origin } }], actorId);
  }

  /**
   * Records as many failed log-ins as the budget allows.
   *
   * @param at when they failed: milliseconds since the UNIX epoch
   * @returns how many it recorded, from the first on
   */
  async failures(userId: number, failures: readonly FailedLogIn[], at: number): Promise<number> {
    const metadata = { ...this.metadata(null), at };
    const { events } = await this.decisions.decideAs(metadata, securityOf(userId), (state) =>
      decideLogInFailures(state, { userId, failures }, at),
    );
    return events.length;
  }

  /** Records how many further log-ins failed. */
  async furtherFailures(counted: EventOf<typeof LogInFailuresCounted>['data']): Promise<void> {
    await this.record([{ type: 'LogInFailuresCounted', data: counted }], null);
  }

  /** The name of the program stands in the event, where it can be erased, and not beside it. */
  private metadata(actorId: number | null): ReturnType<typeof requestMetadata> {
    return requestMetadata({ userId: actorId, client: serverClient }, this.clock.now());
  }
}
