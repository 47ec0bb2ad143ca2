import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { BooleanParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { PathRemainder } from '../../../http/parameters/path-parameters.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { navigationViewsReply } from '../personal.replies.js';
import {
  AddNavigationView,
  ChangeNavigationView,
  RemoveNavigationView,
} from './commands/navigation-views.js';
import { GetNavigationViews } from './queries/get-navigation-views.js';
import { viewName, viewFragment } from './navigation-views.state.js';

/** Parameters of POST /navigation_views. */
class AddNavigationViewParameters {
  @TextParameter({
    maxLength: viewFragment.max,
    required: true,
    example: 'narrow/has/link',
    description: 'The unique URL hash that identifies the view.',
  })
  fragment!: string;

  @BooleanParameter({
    required: true,
    example: true,
    description: 'Whether the view is pinned to the menu; otherwise it is hidden.',
  })
  is_pinned!: boolean;

  @TextParameter({
    maxLength: viewName.max,
    example: 'Links',
    description: 'The name of the view. Required for a custom view; must be absent for a built-in view.',
  })
  name?: string;
}

/** Parameters of PATCH /navigation_views/{fragment}. */
class ChangeNavigationViewParameters {
  @BooleanParameter({
    example: false,
    description: 'Whether the view is pinned to the menu; otherwise it is hidden.',
  })
  is_pinned?: boolean;

  @TextParameter({
    maxLength: viewName.max,
    example: 'Links',
    description: 'The name of the view, only for custom views. Must be absent for a built-in view.',
  })
  name?: string;
}

/** The navigation views in people's clients. */
@ApiTags('navigation views')
@Controller('navigation_views')
export class NavigationViewsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the caller's changed and own views. */
  @Reply(navigationViewsReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { navigation_views: await this.queries.execute(new GetNavigationViews(caller)) };
  }

  /** Changes a built-in view, or adds one of the caller's own. */
  @Reply()
  @Post()
  async add(
    @CurrentCaller() caller: Caller,
    @Parameters(AddNavigationViewParameters) parameters: AddNavigationViewParameters,
  ): Promise<void> {
    const { fragment, is_pinned: isPinned, name = null } = parameters;
    await this.commands.execute(new AddNavigationView(caller, { fragment, isPinned, name }));
  }

  /** Pins, hides or renames a view. */
  @Reply()
  @Patch('*')
  async change(
    @CurrentCaller() caller: Caller,
    @PathRemainder('fragment') fragment: string,
    @Parameters(ChangeNavigationViewParameters) parameters: ChangeNavigationViewParameters,
  ): Promise<void> {
    const { is_pinned: isPinned = null, name = null } = parameters;
    await this.commands.execute(new ChangeNavigationView(caller, { fragment, isPinned, name }));
  }

  /** Removes a view. */
  @Reply()
  @Delete('*')
  async remove(@CurrentCaller() caller: Caller, @PathRemainder('fragment') fragment: string): Promise<void> {
    await this.commands.execute(new RemoveNavigationView(caller, fragment));
  }
}
