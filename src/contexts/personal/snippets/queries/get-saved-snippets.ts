import { savedSnippetObject } from '../../personal.view.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { PersonalReader } from '../../personal-reader.js';
import type { SavedSnippetObject } from '../../personal.replies.js';

/** A person's saved snippets, oldest first. */
export class GetSavedSnippets extends Query<readonly SavedSnippetObject[]> {
  constructor(readonly caller: Pick<Caller, 'userId'>) {
    super();
  }
}

@QueryHandler(GetSavedSnippets)
export class GetSavedSnippetsHandler implements IQueryHandler<GetSavedSnippets> {
  constructor(private readonly reader: PersonalReader) {}

  async execute({ caller: { userId } }: GetSavedSnippets): Promise<readonly SavedSnippetObject[]> {
    const snippets = await this.reader.savedSnippets();
    return (await snippets.find({ userId }, { sort: { snippetId: 1 } })).map(savedSnippetObject);
  }
}
