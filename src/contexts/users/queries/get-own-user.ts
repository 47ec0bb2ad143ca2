import { ModuleRef } from '@nestjs/core';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { LastMessage } from '../last-message.js';
import { userObject } from '../views/user-object.js';
import type { UserObject } from '../users.replies.js';

/** The caller's own account (specification, "Own user"). */
export type OwnUser = Omit<UserObject, 'bot_type' | 'bot_owner_id'> &
  Partial<Pick<UserObject, 'bot_type' | 'bot_owner_id'>> & { readonly max_message_id: number };

/** Reads the caller's own account (specification, GET /users/me). */
export class GetOwnUser extends Query<OwnUser> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetOwnUser)
export class GetOwnUserHandler implements IQueryHandler<GetOwnUser> {
  constructor(
    private readonly decisions: Decisions,
    private readonly modules: ModuleRef,
  ) {}

  async execute({ caller }: GetOwnUser): Promise<OwnUser> {
    const user = this.decisions.actor(caller).user;
    const { bot_type, bot_owner_id, ...object } = userObject(user, {
      viewer: user,
      directory: this.decisions.moment().directory,
      clientGravatar: false,
      includeProfile: true,
    });
    // Messages know people, not the other way round: so they are asked for when they are needed.
    const messages = this.modules.get(LastMessage, { strict: false });
    return {
      ...object,
      ...(user.bot === null ? {} : { bot_type, bot_owner_id }),
      max_message_id: await messages.lastReceivedMessageId(user.id),
    };
  }
}
