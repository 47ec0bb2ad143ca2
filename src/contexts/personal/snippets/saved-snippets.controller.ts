import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { TextParameter } from '../../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../../http/parameters/path-parameters.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { createdSnippetReply, savedSnippetsReply } from '../personal.replies.js';
import { ChangeSavedSnippet, CreateSavedSnippet, DeleteSavedSnippet } from './commands/saved-snippets.js';
import { GetSavedSnippets } from './queries/get-saved-snippets.js';
import { snippetTitle, snippetContent } from './saved-snippets.state.js';

/** Parameters of POST /saved_snippets. */
class CreateSavedSnippetParameters {
  @TextParameter({
    maxLength: snippetTitle.max,
    required: true,
    example: 'Sign-off',
    description: 'The title of the snippet: at most 60 code points.',
  })
  title!: string;

  @TextParameter({
    maxLength: snippetContent.max,
    required: true,
    example: 'Best, Ada',
    description: 'The text, in Markdown: at most 10,000 code points.',
  })
  content!: string;
}

/** Parameters of PATCH /saved_snippets/{saved_snippet_id}. */
class ChangeSavedSnippetParameters {
  @TextParameter({
    maxLength: snippetTitle.max,
    example: 'Farewell',
    description: 'The new title of the snippet: at most 60 code points.',
  })
  title?: string;

  @TextParameter({
    maxLength: snippetContent.max,
    example: 'Yours, Ada',
    description: 'The new text, in Markdown: at most 10,000 code points.',
  })
  content?: string;
}

/** Texts that people save to use in messages. */
@ApiTags('saved snippets')
@Controller('saved_snippets')
export class SavedSnippetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the caller's saved snippets, oldest first. */
  @Reply(savedSnippetsReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { saved_snippets: await this.queries.execute(new GetSavedSnippets(caller)) };
  }

  /** Saves a snippet. */
  @Reply(createdSnippetReply)
  @Post()
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateSavedSnippetParameters) text: CreateSavedSnippetParameters,
  ): Promise<SuccessFields> {
    return { saved_snippet_id: await this.commands.execute(new CreateSavedSnippet(caller, text)) };
  }

  /** Changes the title or content of a saved snippet. */
  @Reply()
  @Patch(':saved_snippet_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('saved_snippet_id') snippetId: number,
    @Parameters(ChangeSavedSnippetParameters) parameters: ChangeSavedSnippetParameters,
  ): Promise<void> {
    const { title = null, content = null } = parameters;
    await this.commands.execute(new ChangeSavedSnippet(caller, { snippetId, title, content }));
  }

  /** Deletes a saved snippet. */
  @Reply()
  @Delete(':saved_snippet_id')
  async delete(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('saved_snippet_id') snippetId: number,
  ): Promise<void> {
    await this.commands.execute(new DeleteSavedSnippet(caller, snippetId));
  }
}
