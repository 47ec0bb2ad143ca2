import type { NestFastifyApplication } from '@nestjs/platform-fastify';
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
import type { Erasure } from './erasure.js';
import { resetMessage, resetOwnerKey } from './owner-key.js';
import { PublicAddress } from '../http/public-address.js';
import type { ServerNode } from './server-node.js';

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
export function ownerCommands(
  application: NestFastifyApplication,
  node: ServerNode,
  erasure: Erasure,
): ControlCommands {
  return {
    ...caseCommands({
      cases: application.get(Cases, { strict: false }),
      tasks: node.threads.caseTasks,
      access: node.operatorAuditAccess,
    }),
    [ERASE_PERSON_COMMAND]: ({ person, operator }, report) =>
      reportingRebuilds(node, report, () => erasure.person.execute(String(person), String(operator))),
    [REACTIVATE_ORGANIZATION_COMMAND]: async ({ operator }) => {
      const decisions = application.get(Decisions, { strict: false });
      const metadata = serverMetadata(randomCommandId(), node.clock.now());
      const { events } = await decisions.decideAs(metadata, foldedOrganization, (organization) =>
        decideReactivateOrganization(existing(organization), String(operator)),
      );
      return events.length === 0 ? 'The organization is active.' : 'The organization is active again.';
    },
    [RESET_OWNER_KEY_COMMAND]: async () => {
      const { url } = application.get(PublicAddress, { strict: false });
      return resetMessage(await resetOwnerKey(node, url));
    },
  };
}
