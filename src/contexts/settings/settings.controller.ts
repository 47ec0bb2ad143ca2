import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { AssignSettings, ChangeSettingDefaults, ChangeSettings } from './commands/settings.js';
import {
  settingsIn,
  assignmentOf,
  ChangeSettingDefaultsParameters,
  ChangeSettingsParameters,
  settingsRequest,
  ShortCommandParameters,
} from './settings.parameters.js';
import { GetSettingDefaults, GetSettings } from './queries/settings.js';
import { shortCommand } from './short-commands.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { settingDefaultsReply, settingsReply } from './settings.replies.js';

/** People's own settings, and settings that administrators change for others. */
@ApiTags('settings')
@Controller()
export class SettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Reads the caller's settings. */
  @Reply(settingsReply)
  @Get('settings')
  async own(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { ...(await this.queries.execute(new GetSettings(caller))) };
  }

  /** Changes the caller's settings, or those of `target_users`. */
  @Reply()
  @Patch('settings')
  async change(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeSettingsParameters) parameters: ChangeSettingsParameters,
  ): Promise<void> {
    const assignment = assignmentOf(parameters);
    await this.commands.execute(
      assignment === null
        ? new ChangeSettings(caller, settingsRequest(parameters))
        : new AssignSettings(caller, assignment),
    );
  }

  /** Runs a short command that people type in the compose box, such as `/dark`. */
  @Reply()
  @Post('zcommand')
  async command(
    @CurrentCaller() caller: Caller,
    @Parameters(ShortCommandParameters) { command }: ShortCommandParameters,
  ): Promise<SuccessFields> {
    const { settings, reply: told } = shortCommand(command);
    const request = { settings, fullName: null, email: null, password: null };
    await this.commands.execute(new ChangeSettings(caller, request));
    return { msg: told };
  }

  /** Changes settings (older path). */
  @ApiOperation({ deprecated: true })
  @Reply()
  @Patch('settings/display')
  changeDisplay(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeSettingsParameters) parameters: ChangeSettingsParameters,
  ): Promise<void> {
    return this.change(caller, parameters);
  }

  /** Changes settings (older path). */
  @ApiOperation({ deprecated: true })
  @Reply()
  @Patch('settings/notifications')
  changeNotifications(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeSettingsParameters) parameters: ChangeSettingsParameters,
  ): Promise<void> {
    return this.change(caller, parameters);
  }

  /** Reads the settings that new accounts get. */
  @Reply(settingDefaultsReply)
  @Get('realm/user_settings_defaults')
  async defaults(): Promise<SuccessFields> {
    return { ...(await this.queries.execute(new GetSettingDefaults())) };
  }

  /** Changes the settings that new accounts get. */
  @Reply()
  @Patch('realm/user_settings_defaults')
  async changeDefaults(
    @CurrentCaller() caller: Caller,
    @Parameters(ChangeSettingDefaultsParameters) parameters: ChangeSettingDefaultsParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeSettingDefaults(caller, settingsIn(parameters)));
  }
}
