import type { CodePlayground } from '../../../access/records/code-playgrounds.js';

/** A code playground as the API gives it (facts of the events, `realm_playgrounds`). */
export interface CodePlaygroundObject {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

/** A code playground in the words of the API. */
export function codePlaygroundObject(playground: CodePlayground): CodePlaygroundObject {
  const { playgroundId: id, name, language, urlTemplate } = playground;
  return { id, name, pygments_language: language, url_template: urlTemplate };
}
