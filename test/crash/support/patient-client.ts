import { ApiClient, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';

/** Longer than leases outlive a process that died. */
const PATIENCE = 30_000;

/** Sends writes again that a node does not take because it lags: on servers it does until dead leases have run out. */
export class PatientClient extends ApiClient {
  override post(...input: Parameters<ApiClient['post']>): Promise<Answer> {
    return untilTaken(() => super.post(...input));
  }

  override patch(...input: Parameters<ApiClient['patch']>): Promise<Answer> {
    return untilTaken(() => super.patch(...input));
  }

  override delete(...input: Parameters<ApiClient['delete']>): Promise<Answer> {
    return untilTaken(() => super.delete(...input));
  }
}

function untilTaken(write: () => Promise<Answer>): Promise<Answer> {
  return eventually(write, ({ status }) => status !== 503, PATIENCE);
}
