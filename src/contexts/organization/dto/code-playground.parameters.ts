import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /realm/playgrounds (facts of the events, `realm_playgrounds`). */
export class AddCodePlaygroundParameters {
  @TextParameter({
    required: true,
    example: 'Rust play',
    description: 'What people choose it by: at most 100 characters.',
  })
  name!: string;

  @TextParameter({
    required: true,
    example: 'Rust',
    description: 'The language whose code blocks open there: at most 40 characters.',
  })
  pygments_language!: string;

  @TextParameter({
    required: true,
    example: 'https://rust.example.com/?code={code}',
    description: 'RFC 6570, with `code` as its only variable, for a page of the web.',
  })
  url_template!: string;
}
