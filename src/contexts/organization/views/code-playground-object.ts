import type { CodePlayground } from '../../../access/records/code-playgrounds.js';
import type { CodePlaygroundObject } from '../organization.replies.js';

/** A code playground in the words of the API. */
export function codePlaygroundObject(playground: CodePlayground): CodePlaygroundObject {
  const { playgroundId: id, name, language, urlTemplate } = playground;
  return { id, name, pygments_language: language, url_template: urlTemplate };
}
