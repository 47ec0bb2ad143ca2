import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import type { UploadedMedia } from '../../../markdown/media.js';
import type { RenderReferences } from '../../../markdown/references.js';
import { renderWithinBudget } from '../../../markdown/render.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';

/**
 * Renders a text whose names are resolved already. It runs on a reader thread for texts that take too long
 * for the request thread.
 */
export class RenderResolvedText extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly text: string,
    readonly references: RenderReferences,
    readonly media: readonly UploadedMedia[],
  ) {
    super();
  }
}

@QueryHandler(RenderResolvedText)
export class RenderResolvedTextHandler implements IQueryHandler<RenderResolvedText> {
  /** @throws ApplicationError `unrenderableText` */
  execute({ text, references, media }: RenderResolvedText): Promise<string> {
    return Promise.resolve(renderWithinBudget(text, references, media).html);
  }
}
