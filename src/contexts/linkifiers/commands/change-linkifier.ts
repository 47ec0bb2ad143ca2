import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import type { LinkifierEvent } from '../../../events/linkifiers.js';
import { LinkifierChanges } from '../linkifier-changes.js';
import {
  assertLinkifierDefinition,
  assertPatternFree,
  type LinkifierDefinition,
} from '../linkifier-definition.js';
import { assertLinkifier, type Linkifiers } from '../../../access/records/linkifiers.js';

/** What replaces parts of a linkifier; undefined: that part stays. */
export type LinkifierChange = Pick<LinkifierDefinition, 'pattern' | 'urlTemplate'> & {
  readonly [Part in 'exampleInput' | 'reverseTemplate' | 'alternativeUrlTemplates']:
    LinkifierDefinition[Part] | undefined;
};

/** Replaces a rule by which texts become links (facts, section 2, PATCH /realm/filters/{id}). */
export class ChangeLinkifier extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly linkifierId: number,
    readonly change: LinkifierChange,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchLinkifier`, `invalidLinkifier` */
export function decideChangeLinkifier(
  state: Linkifiers,
  linkifierId: number,
  change: LinkifierChange,
): readonly LinkifierEvent[] {
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

@CommandHandler(ChangeLinkifier)
export class ChangeLinkifierHandler implements ICommandHandler<ChangeLinkifier> {
  constructor(private readonly changes: LinkifierChanges) {}

  async execute({ caller, linkifierId, change }: ChangeLinkifier): Promise<void> {
    await this.changes.decide(caller, (state) => decideChangeLinkifier(state, linkifierId, change));
  }
}
