import { Injectable } from '@nestjs/common';
import { requestMetadata, serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import type { EventMetadata, RecordedEvent } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { Accounts } from '../users/accounts.js';
import type { ActorAt } from '../users/decisions.js';
import type { OrganizationEvent } from '../../events/organization.js';
import {
  organizationFold,
  organizationStream,
  type Organization,
} from '../../access/records/organization.js';

/** Decisions about the organization as a whole, appended to the stream that guards them. */
@Injectable()
export class OrganizationStream {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly accounts: Accounts,
  ) {}

  /** @returns what was appended, in order; nothing when nothing was to change */
  async decide(
    caller: Caller,
    decide: (organization: Organization, by: ActorAt, nextRevision: number) => readonly OrganizationEvent[],
  ): Promise<readonly RecordedEvent<OrganizationEvent>[]> {
    const by = { actor: this.accounts.actor(caller), moment: this.accounts.moment() };
    return this.append(requestMetadata(caller, by.moment.now), (organization, nextRevision) =>
      decide(organization, by, nextRevision),
    );
  }

  /** The same for an operator. */
  async decideForOperator(
    decide: (organization: Organization) => readonly OrganizationEvent[],
  ): Promise<readonly RecordedEvent<OrganizationEvent>[]> {
    return this.append(serverMetadata(randomCommandId(), this.accounts.moment().now), decide);
  }

  private async append(
    metadata: EventMetadata,
    decide: (organization: Organization, nextRevision: number) => readonly OrganizationEvent[],
  ): Promise<readonly RecordedEvent<OrganizationEvent>[]> {
    const appended = await handle(this.streams, {
      stream: organizationStream,
      fold: organizationFold,
      decide: (organization: Organization | null, revision) => {
        if (organization === null) throw new Error('A server that runs has its organization');
        return decide(organization, (revision ?? -1) + 1);
      },
      metadata,
    });
    return appended?.events ?? [];
  }
}
