import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /saved_snippets. */
export class CreateSavedSnippetParameters {
  @TextParameter({
    required: true,
    example: 'Sign-off',
    description: 'What it is found by: at most 60 code points.',
  })
  title!: string;

  @TextParameter({
    required: true,
    example: 'Best, Ada',
    description: 'The text, in Markdown: at most 10,000 code points.',
  })
  content!: string;
}

/** Parameters of PATCH /saved_snippets/{saved_snippet_id}. */
export class ChangeSavedSnippetParameters {
  @TextParameter({ example: 'Farewell', description: 'What it is found by: at most 60 code points.' })
  title?: string;

  @TextParameter({ example: 'Yours, Ada', description: 'The text, in Markdown: at most 10,000 code points.' })
  content?: string;
}
