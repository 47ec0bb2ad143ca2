import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Decisions } from '../../../http/decisions.js';
import { PresenceBoard } from '../presence-board.js';
import { visiblePresences, type PresenceRequest } from '../visible-presence.js';
import type { PresenceReply } from '../client-schemas.js';

/** Everyone's presence (facts, section 5, realm/presence and users/me/presence). */
export class GetPresences extends Query<PresenceReply> {
  constructor(readonly request: PresenceRequest) {
    super();
  }
}

@QueryHandler(GetPresences)
export class GetPresencesHandler implements IQueryHandler<GetPresences> {
  constructor(
    private readonly decisions: Decisions,
    private readonly board: PresenceBoard,
  ) {}

  execute({ request }: GetPresences): Promise<PresenceReply> {
    return Promise.resolve(visiblePresences(this.board, this.decisions.moment(), request));
  }
}
