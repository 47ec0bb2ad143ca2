import type { EventLog } from '../stores/event-store/event-log.js';
import { organizationStream } from '../access/records/organization.js';

/** The name with which the organization was created. */
export async function organizationName(log: EventLog): Promise<string> {
  const [created] = await log.readStream(organizationStream, { limit: 1 });
  return (created?.data as { readonly name?: string } | undefined)?.name ?? '';
}
