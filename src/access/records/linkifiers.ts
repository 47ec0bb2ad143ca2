import { isSafeTemplate } from '../../markdown/url.js';
import type { Fold } from '../../kernel/fold.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/decision.js';
import type { LinkifierAdded, LinkifierEvent } from '../../events/linkifiers.js';

/** The stream with the rules by which texts become links. */
export const LINKIFIERS_STREAM = 'linkifiers';

/** A rule by which texts become links: see {@link LinkifierAdded}. */
export type OrganizationLinkifier = EventOf<typeof LinkifierAdded>['data'];

/** The organization's linkifiers, in their order. */
export type Linkifiers = {
  readonly linkifiers: readonly OrganizationLinkifier[];
  /** How many were ever added: the id of the last. */
  readonly added: number;
};

/** The initial state, without linkifiers. */
export const noLinkifiers: Linkifiers = { linkifiers: [], added: 0 };

/** Folds the stream of the linkifiers. */
export const linkifiersFold: Fold<Linkifiers, RecordedEvent<LinkifierEvent>> = {
  snapshot: { name: 'linkifiers', version: 1 },
  initial: noLinkifiers,
  evolve({ linkifiers, added }, event) {
    switch (event.type) {
      case 'LinkifierAdded':
        return { linkifiers: [...linkifiers, event.data], added: event.data.linkifierId };
      case 'LinkifierChanged': {
        const { data } = event;
        const changed = linkifiers.map((one) => (one.linkifierId === data.linkifierId ? data : one));
        return { linkifiers: changed, added };
      }
      case 'LinkifierRemoved': {
        const { linkifierId } = event.data;
        return { linkifiers: linkifiers.filter((one) => one.linkifierId !== linkifierId), added };
      }
      case 'LinkifiersReordered': {
        const { linkifierIds } = event.data;
        const place = (one: OrganizationLinkifier): number => linkifierIds.indexOf(one.linkifierId);
        return { linkifiers: [...linkifiers].sort((a, b) => place(a) - place(b)), added };
      }
      default:
        return unreachable(event);
    }
  },
};

/** The stream of the linkifiers, for decisions about them. */
export const foldedLinkifiers = stream(LINKIFIERS_STREAM, linkifiersFold);

/**
 * The linkifiers whose URLs clients may open. Others were added before URLs were checked, and are ignored.
 */
export function usableLinkifiers({ linkifiers }: Linkifiers): readonly OrganizationLinkifier[] {
  return linkifiers
    .filter(({ urlTemplate }) => isSafeTemplate(urlTemplate))
    .map((linkifier) => {
      const { alternativeUrlTemplates } = linkifier;
      if (alternativeUrlTemplates.every(isSafeTemplate)) return linkifier;
      return { ...linkifier, alternativeUrlTemplates: alternativeUrlTemplates.filter(isSafeTemplate) };
    });
}

/** @throws ApplicationError `noSuchLinkifier` */
export function assertLinkifier({ linkifiers }: Linkifiers, linkifierId: number): void {
  if (!linkifiers.some((one) => one.linkifierId === linkifierId)) throw failure('noSuchLinkifier');
}
