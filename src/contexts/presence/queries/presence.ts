import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Decisions } from '../../../http/decisions.js';
import { PresenceBoard } from '../presence-board.js';
import {
  legacyPresence,
  type PresenceRequest,
  serverTimestamp,
  slimPresence,
  visiblePresence,
  visiblePresences,
} from '../presence.view.js';
import type { OnePresence, PresenceReply } from '../presence.replies.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import type { Caller } from '../../../http/caller.js';
import { KnownPeople } from '../../../access/known-people.js';
import { failure } from '../../../kernel/errors.js';

/** Everyone's presence (`GET /realm/presence`, `POST /users/me/presence`). */
export class GetPresences extends Query<PresenceReply> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    readonly request: PresenceRequest,
  ) {
    super();
  }
}

@QueryHandler(GetPresences)
export class GetPresencesHandler implements IQueryHandler<GetPresences> {
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
    private readonly board: PresenceBoard,
  ) {}

  async execute({ caller, request }: GetPresences): Promise<PresenceReply> {
    const { user } = this.decisions.actor(caller);
    const snapshot = this.decisions.snapshot();
    const knows = await this.people.predicateFor(user, snapshot);
    return visiblePresences({ board: this.board, snapshot, knows }, request);
  }
}

/** Finds out whether one person is here (`GET /users/{user_id_or_email}/presence`). */
export class GetPresence extends Query<OnePresence> {
  constructor(
    readonly caller: Caller,
    /** An id or an e-mail address. */
    readonly whom: number | string,
  ) {
    super();
  }
}

@QueryHandler(GetPresence)
export class GetPresenceHandler implements IQueryHandler<GetPresence> {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly people: KnownPeople,
    private readonly board: PresenceBoard,
  ) {}

  /**
   * @throws ApplicationError `noSuchUser`, also for people whom the caller may not know; `botsHaveNoPresence`;
   * `noPresence` for a person who was not here lately
   */
  async execute({ caller, whom }: GetPresence): Promise<OnePresence> {
    const snapshot = this.decisions.snapshot();
    const { directory, now } = snapshot;
    const viewer = this.decisions.actor(caller).user;
    const user = this.emails.findByIdOrEmail(viewer, directory, whom);
    const knows = await this.people.predicateFor(viewer, snapshot);
    if (user?.isActive !== true || !knows(user)) throw failure('noSuchUser');
    if (user.bot !== null) throw failure('botsHaveNoPresence');
    const presence = visiblePresence(this.board, directory, user.id);
    if (presence === null) throw failure('noPresence', { reason: whom });
    const { status, timestamp } = legacyPresence(presence).aggregated;
    const since = { status, timestamp };
    return {
      presence: { ...slimPresence(presence, user), aggregated: since, website: since },
      server_timestamp: serverTimestamp(now),
    };
  }
}
