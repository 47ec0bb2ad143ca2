import { IsIn } from 'class-validator';
import { TextParameter } from '../../../http/parameters/parameter-decorators.js';
import type { SubscriberListing } from '../queries/subscriptions.js';

const listings = ['true', 'false', 'partial'] as const satisfies readonly SubscriberListing[];

/** Parameters of GET /users/me/subscriptions (specification). */
export class GetSubscriptionsParameters {
  @TextParameter({ values: listings, description: 'Whether subscribers are listed. Default `false`.' })
  @IsIn(listings)
  include_subscribers?: SubscriberListing;
}
