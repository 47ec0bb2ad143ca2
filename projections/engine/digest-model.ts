import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/stores/event-store/canonical-json.js';
import { documentsOf } from './model-documents.js';
import type { StoredModel } from './open-model.js';

/**
 * A digest of all documents of a model, independent of the order of writes: models with the same documents have the same digest. Engine
 * fields do not count.
 *
 * @returns SHA-256, hexadecimal
 */
export async function digestModel({ projection, model }: StoredModel): Promise<string> {
  const digest = createHash('sha256');
  const names = projection.collections.map(({ name }) => name).sort();
  for (const name of names) {
    digest.update(`${JSON.stringify(name)}\n`);
    for await (const document of documentsOf(model.collection(name))) {
      digest.update(`${canonicalJson(document)}\n`);
    }
  }
  return digest.digest('hex');
}
