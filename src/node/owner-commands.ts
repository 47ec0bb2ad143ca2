import { Injectable } from '@nestjs/common';
import { caseCommands } from '../audit/cases/case-commands.js';
import { Cases } from '../audit/cases/cases.js';
import {
  ERASE_PERSON_COMMAND,
  REACTIVATE_ORGANIZATION_COMMAND,
  RESET_OWNER_KEY_COMMAND,
  type ControlCommands,
  type ReportProgress,
} from '../operations/control-socket.js';
import { decideReactivateOrganization } from '../contexts/organization/organization.decide.js';
import { existing, foldedOrganization } from '../access/records/organization.js';
import { Decisions } from '../http/decisions.js';
import { serverMetadata } from '../stores/event-store/command-metadata.js';
import { randomCommandId } from '../stores/event-store/event-id.js';
import { Erasure } from './erasure.js';
import { resetMessage, resetOwnerKey } from './owner-key.js';
import { PublicAddress } from '../http/public-address.js';
import { ServerNode } from './server-node.js';

/** How often an operator gets the progress of rebuilds, in milliseconds. */
const REPORT_EVERY = 500;

/** Reports the progress of rebuilds while an operation waits for them. */
async function reportingRebuilds<Result>(
  { operations, logger }: ServerNode,
  report: ReportProgress,
  task: () => Promise<Result>,
): Promise<Result> {
  const reportNow = (): void => {
    operations
      .rebuilds()
      .then(report)
      .catch((err: unknown) => logger.warn({ err }, 'How far rebuilds have come is not known'));
  };
  const timer = setInterval(reportNow, REPORT_EVERY);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}

/** Commands that need a server that answers requests. */
@Injectable()
export class OwnerCommands {
  readonly commands: ControlCommands;

  constructor(
    private readonly node: ServerNode,
    private readonly decisions: Decisions,
    erasure: Erasure,
    cases: Cases,
    address: PublicAddress,
  ) {
    const { threads, operatorAuditAccess: access } = node;
    this.commands = {
      ...caseCommands({ cases, tasks: threads.caseTasks, access }),
      [ERASE_PERSON_COMMAND]: ({ person, operator }, report) =>
        reportingRebuilds(node, report, () => erasure.person.execute(String(person), String(operator))),
      [REACTIVATE_ORGANIZATION_COMMAND]: ({ operator }) => this.reactivate(String(operator)),
      [RESET_OWNER_KEY_COMMAND]: async () => resetMessage(await resetOwnerKey(node, address.url)),
    };
  }

  private async reactivate(operator: string): Promise<string> {
    const metadata = serverMetadata(randomCommandId(), this.node.clock.now());
    const events = await this.decisions.record(metadata, foldedOrganization, (organization) =>
      decideReactivateOrganization(existing(organization), operator),
    );
    return events.length === 0 ? 'The organization is active.' : 'The organization is active again.';
  }
}
