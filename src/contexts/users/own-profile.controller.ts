import { Controller, Delete, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { ChangeOwnProfile } from './commands/users.js';
import {
  ChangeProfileDataParameters,
  ClearProfileDataParameters,
  profileEntries,
} from '../profiles/profiles.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';

/** The caller's own profile. */
@ApiTags('custom profile fields')
@Controller('users/me/profile_data')
export class OwnProfileController {
  constructor(private readonly commands: CommandBus) {}

  /** Sets fields of the caller's profile. */
  @Reply()
  @Patch()
  async change(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeProfileDataParameters) { data }: ChangeProfileDataParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeOwnProfile(caller, profileEntries(data)));
  }

  /** Clears fields of the caller's profile. */
  @Reply()
  @Delete()
  async clear(
    @CurrentCaller() caller: Caller,
    @Parameters(ClearProfileDataParameters) { data }: ClearProfileDataParameters,
  ): Promise<void> {
    const entries = data.map((fieldId) => ({ fieldId, value: null }));
    await this.commands.execute(new ChangeOwnProfile(caller, entries));
  }
}
