import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { identifierOrName, PathIdentifier, PathName } from '../../http/parameters/path-parameters.js';
import { profileEntries } from '../profiles/profiles.parameters.js';
import { Readers } from '../../reader-threads/readers.js';
import {
  CreateUser,
  DeactivateOwnAccount,
  DeactivateUser,
  ReactivateUser,
  UpdateUser,
} from './commands/users.js';
import { RegenerateApiKey } from './commands/api-keys.js';
import {
  CreateUserParameters,
  DeactivateUserParameters,
  deletionsIn,
  UpdateUserParameters,
  GetUsersParameters,
  userFormat,
  UserFormatParameters,
} from './users.parameters.js';
import { GetOwnUser, GetUser, GetUsers } from './queries/users.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { createdUserReply, keyReply, ownUserReply, userReply, usersReply } from './users.replies.js';

/** People: their accounts, and the caller's own. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly readers: Readers,
  ) {}

  /** Creates an account for a person. */
  @Reply(createdUserReply)
  @Post()
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateUserParameters) { email, password, full_name: fullName }: CreateUserParameters,
  ): Promise<SuccessFields> {
    return { user_id: await this.commands.execute(new CreateUser(caller, { email, password, fullName })) };
  }

  /** Lists people and bots. */
  @Reply(usersReply)
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @Parameters(GetUsersParameters) parameters: GetUsersParameters,
  ): Promise<Answer> {
    const query = new GetUsers(caller, parameters.user_ids ?? null, userFormat(parameters));
    return this.readers.answer(query);
  }

  /** Reads the caller's own account. */
  @Reply(ownUserReply)
  @Get('me')
  async own(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { ...(await this.queries.execute(new GetOwnUser(caller))) };
  }

  /** Deactivates the caller's own account. */
  @Reply()
  @Delete('me')
  async deactivateOwn(@CurrentCaller() caller: Caller): Promise<void> {
    await this.commands.execute(new DeactivateOwnAccount(caller));
  }

  /** Revokes all keys of the caller and issues a new one. */
  @Reply(keyReply)
  @Post('me/api_key/regenerate')
  async regenerateOwnKey(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { api_key: await this.commands.execute(new RegenerateApiKey(caller, caller.userId)) };
  }

  /** Finds a person or a bot by id or by e-mail address. */
  @Reply(userReply)
  @Get(':user_id_or_email')
  async get(
    @CurrentCaller() caller: Caller,
    @PathName('user_id_or_email') sent: string,
    @Parameters(UserFormatParameters) parameters: UserFormatParameters,
  ): Promise<SuccessFields> {
    const query = new GetUser(caller, identifierOrName(sent), userFormat(parameters));
    return { user: await this.queries.execute(query) };
  }

  /** Changes a person or a bot, named by id or by e-mail address. */
  @Reply()
  @Patch(':user_id_or_email')
  async update(
    @CurrentCaller() caller: Caller,
    @PathName('user_id_or_email') sent: string,
    @Parameters(UpdateUserParameters) parameters: UpdateUserParameters,
  ): Promise<void> {
    const { full_name: fullName = null, role = null, profile_data: profileData = [] } = parameters;
    const { new_email: newEmail = null } = parameters;
    const profile = profileEntries(profileData);
    const whom = identifierOrName(sent);
    await this.commands.execute(new UpdateUser(caller, { whom, fullName, role, profile, newEmail }));
  }

  /**
   * Deactivates a person, deletes the requested data of them and their bots, and sends them an e-mail if
   * requested.
   */
  @Reply()
  @Delete(':user_id')
  async deactivate(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
    @Parameters(DeactivateUserParameters) parameters: DeactivateUserParameters,
  ): Promise<void> {
    const { actions = {}, deactivation_notification_comment: comment = null } = parameters;
    await this.commands.execute(
      new DeactivateUser(caller, userId, { deletions: deletionsIn(actions), comment }),
    );
  }

  /** Reactivates a person or a bot. */
  @Reply()
  @Post(':user_id/reactivate')
  async reactivate(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
  ): Promise<void> {
    await this.commands.execute(new ReactivateUser(caller, userId));
  }
}
