import { channelRequests } from './channels.js';
import { messageRequests } from './messages.js';
import { organizationRequests } from './organization.js';
import { peopleRequests } from './people.js';
import { personalRequests } from './personal.js';
import type { Random } from './random.js';
import type { ApiRequest, World } from './world.js';

const all = [
  ...peopleRequests,
  ...channelRequests,
  ...messageRequests,
  ...organizationRequests,
  ...personalRequests,
] as const;

/** A random request that is about things that exist; people who may not do what it asks may send it as well. */
export function randomRequest(random: Random, world: World): ApiRequest {
  for (;;) {
    const request = random.pick(all)?.(random, world) ?? null;
    if (request !== null) return request;
  }
}
