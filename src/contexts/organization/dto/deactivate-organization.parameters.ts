import { IntegerParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /realm/deactivate. */
export class DeactivateOrganizationParameters {
  @IntegerParameter({
    nullable: true,
    description:
      'After how many days everything is to be deleted, which operators do; null or absent: not at all. See `server_min_deactivated_realm_deletion_days`.',
  })
  deletion_delay_days?: number | null;
}
