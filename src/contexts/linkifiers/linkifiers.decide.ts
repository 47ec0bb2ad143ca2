import type { Actor } from '../../access/actor.js';
import { assertAdministrator } from '../../access/records/roles.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { LinkifierEvent } from '../../events/linkifiers.js';
import {
  assertLinkifierDefinition,
  assertPatternFree,
  type LinkifierDefinition,
} from './linkifier-definition.js';
import { type Linkifiers, assertLinkifier, usableLinkifiers } from '../../access/records/linkifiers.js';

/** @throws ApplicationError `administratorRequired`, `invalidLinkifier`, `tooManyLinkifiers` */
export function decideAddLinkifier(
  state: Linkifiers,
  definition: LinkifierDefinition,
  { user }: Actor,
): readonly LinkifierEvent[] {
  assertAdministrator(user);
  assertLinkifierDefinition(definition);
  assertPatternFree(state, definition.pattern, null);
  if (state.linkifiers.length >= budgets.linkifiers.max) throw failure('tooManyLinkifiers');
  return [{ type: 'LinkifierAdded', data: { linkifierId: state.added + 1, ...definition } }];
}

/** The changes to a linkifier; undefined: no change. */
export type LinkifierChange = Pick<LinkifierDefinition, 'pattern' | 'urlTemplate'> & {
  readonly [Part in 'exampleInput' | 'reverseTemplate' | 'alternativeUrlTemplates']:
    LinkifierDefinition[Part] | undefined;
};

/** @throws ApplicationError `administratorRequired`, `noSuchLinkifier`, `invalidLinkifier` */
export function decideChangeLinkifier(
  state: Linkifiers,
  { linkifierId, change }: { readonly linkifierId: number; readonly change: LinkifierChange },
  { user }: Actor,
): readonly LinkifierEvent[] {
  assertAdministrator(user);
  assertLinkifier(state, linkifierId);
  return state.linkifiers
    .filter((one) => one.linkifierId === linkifierId)
    .map((before) => {
      const data = {
        linkifierId,
        pattern: change.pattern,
        urlTemplate: change.urlTemplate,
        exampleInput: change.exampleInput === undefined ? before.exampleInput : change.exampleInput,
        reverseTemplate:
          change.reverseTemplate === undefined ? before.reverseTemplate : change.reverseTemplate,
        alternativeUrlTemplates: change.alternativeUrlTemplates ?? before.alternativeUrlTemplates,
      };
      assertLinkifierDefinition(data);
      assertPatternFree(state, data.pattern, linkifierId);
      return { type: 'LinkifierChanged', data };
    });
}

/** @throws ApplicationError `administratorRequired`, `noSuchLinkifier` */
export function decideRemoveLinkifier(
  state: Linkifiers,
  linkifierId: number,
  { user }: Actor,
): readonly LinkifierEvent[] {
  assertAdministrator(user);
  assertLinkifier(state, linkifierId);
  return [{ type: 'LinkifierRemoved', data: { linkifierId } }];
}

/**
 * @throws ApplicationError `administratorRequired`, `invalidLinkifierOrder` if not every linkifier is named
 * once
 */
export function decideReorderLinkifiers(
  state: Linkifiers,
  linkifierIds: readonly number[],
  { user }: Actor,
): readonly LinkifierEvent[] {
  assertAdministrator(user);
  const linkifiers = usableLinkifiers(state);
  const named = new Set(linkifierIds);
  const isWhole =
    linkifierIds.length === linkifiers.length &&
    linkifiers.every(({ linkifierId }) => named.has(linkifierId));
  if (!isWhole) throw failure('invalidLinkifierOrder');
  if (linkifiers.every(({ linkifierId }, place) => linkifierIds[place] === linkifierId)) return [];
  const unusable = state.linkifiers.filter(({ linkifierId }) => !named.has(linkifierId));
  const order = [...linkifierIds, ...unusable.map(({ linkifierId }) => linkifierId)];
  return [{ type: 'LinkifiersReordered', data: { linkifierIds: order } }];
}
