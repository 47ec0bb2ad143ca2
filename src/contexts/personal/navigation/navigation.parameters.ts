import { BooleanParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /navigation_views. */
export class AddNavigationViewParameters {
  @TextParameter({
    required: true,
    example: 'narrow/has/link',
    description: 'The unique URL hash that identifies the view.',
  })
  fragment!: string;

  @BooleanParameter({
    required: true,
    example: true,
    description: 'Whether the menu shows it pinned, or hides it.',
  })
  is_pinned!: boolean;

  @TextParameter({
    example: 'Links',
    description: 'What a view of one’s own is called; omit it for built-in views.',
  })
  name?: string;
}

/** Parameters of PATCH /navigation_views/{fragment}. */
export class ChangeNavigationViewParameters {
  @BooleanParameter({ example: false, description: 'Whether the menu shows it pinned, or hides it.' })
  is_pinned?: boolean;

  @TextParameter({
    example: 'Links',
    description: 'What a view of one’s own is called; omit it for built-in views.',
  })
  name?: string;
}
