import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { normalizeContent } from '../../../events/values/message-text.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { mayHoldFormulas } from '../../../markdown/formulas.js';
import { renderWithinBudget } from '../../../markdown/render.js';
import { Readers } from '../../../reader-threads/readers.js';
import { UploadAccess } from '../../uploads/upload-access.js';
import { referencesIn } from '../sending/compose-text.js';
import { MessageReader } from '../message-reader.js';
import { RenderResolvedText } from './render-resolved-text.js';

/** Renders a text as it would be if the caller sent it (`POST /messages/render`). */
export class RenderText extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly content: string,
  ) {
    super();
  }
}

@QueryHandler(RenderText)
export class RenderTextHandler implements IQueryHandler<RenderText> {
  constructor(
    private readonly messages: MessageReader,
    private readonly uploads: UploadAccess,
    private readonly readers: Readers,
  ) {}

  /** @throws ApplicationError `messageEmpty` for an empty text; `unrenderableText` */
  async execute({ caller, content }: RenderText): Promise<string> {
    const text = normalizeContent(content);
    if (text === '') throw failure('messageEmpty');
    const { snapshot, user: sender, knows } = (await this.messages.open(caller)).context;
    const [uploads, topicMessages] = await Promise.all([
      this.uploads.namedIn(text, sender.id),
      this.messages.linkedTopics(text, caller),
    ]);
    const references = referencesIn(text, { snapshot, sender, uploads, topicMessages, knows });
    const media = await this.messages.media(references.uploads ?? []);
    // Typesetting formulas takes longer than everything else together.
    return mayHoldFormulas(text)
      ? this.readers.ask(new RenderResolvedText(caller, text, references, media))
      : renderWithinBudget(text, references, media).html;
  }
}
