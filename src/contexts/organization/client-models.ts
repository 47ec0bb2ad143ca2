import type { PublicAddress } from '../../http/public-address.js';

/** The read models behind the initial state of the organization. */
export interface OrganizationModels {
  /** The address of the server. */
  readonly address: PublicAddress;
}
