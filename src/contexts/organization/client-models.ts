import type { PublicAddress } from '../../http/public-address.js';

/** What the initial state of the organization is made from. */
export interface OrganizationModels {
  /** Where the server is. */
  readonly address: PublicAddress;
}
