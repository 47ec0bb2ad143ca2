import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { ChosenSettings } from '../../access/records/personal-settings.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiOperation, ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { failure } from '../../kernel/errors.js';
import { AssignSettings, ChangeSettingDefaults, ChangeSettings } from './commands/settings.js';
import { GetSettingDefaults, GetSettings } from './queries/settings.js';
import {
  assignmentOf,
  ChangeSettingDefaultsParameters,
  ChangeSettingsParameters,
  settingsIn,
  settingsRequest,
  ShortCommandParameters,
} from './settings.parameters.js';
import { settingDefaultsReply, settingsReply } from './settings.replies.js';

/** The effect of a short command, and the text of the reply. */
interface ShortCommand {
  readonly settings: ChosenSettings;
  readonly reply: string;
}

const commands: Readonly<Record<string, ShortCommand>> = {
  ping: { settings: {}, reply: '' },
  dark: { settings: { color_scheme: 2 }, reply: 'The theme is dark now; `/light` takes that back.' },
  night: { settings: { color_scheme: 2 }, reply: 'The theme is dark now; `/light` takes that back.' },
  light: { settings: { color_scheme: 3 }, reply: 'The theme is light now; `/dark` takes that back.' },
  day: { settings: { color_scheme: 3 }, reply: 'The theme is light now; `/dark` takes that back.' },
  'fluid-width': {
    settings: { fluid_layout_width: true },
    reply: 'The width is fluid now; `/fixed-width` takes that back.',
  },
  'fixed-width': {
    settings: { fluid_layout_width: false },
    reply: 'The width is fixed now; `/fluid-width` takes that back.',
  },
};

/**
 * The short command that was typed, with its slash.
 *
 * @throws ApplicationError `unknownShortCommand`
 */
function shortCommand(typed: string): ShortCommand {
  const name = typed.startsWith('/') ? typed.slice(1) : '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw failure('unknownShortCommand');
  return command;
}

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
