import type { Condition } from '../language/conditions.js';
import { termsOf } from '../language/terms.js';
import type { CollectionSchema } from './collection-schema.js';
import { predicateOf, type Predicate } from './predicate.js';

/** The test of a condition on stored documents. Terms are not stored in documents, so they are computed for the test. */
export function documentTest({ termIndex }: CollectionSchema, condition: Condition): Predicate {
  const test = predicateOf(condition);
  if (termIndex === null || !asksAbout(condition, termIndex.definition.path)) return test;
  const { definition } = termIndex;
  return (document) => test({ ...document, [definition.path]: termsOf(definition, document[definition.of]) });
}

function asksAbout(condition: Condition, path: string): boolean {
  if ('path' in condition) return condition.path === path;
  return condition.branches.some((branch) => asksAbout(branch, path));
}
