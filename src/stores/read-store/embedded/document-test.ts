import type { Condition } from '../language/conditions.js';
import { termsOf } from '../language/terms.js';
import type { CollectionSchema } from './collection-schema.js';
import { predicateOf, type Predicate } from './predicate.js';

/** The test that a condition stands for, asked of stored documents: their terms, which no document holds, are made for it. */
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
