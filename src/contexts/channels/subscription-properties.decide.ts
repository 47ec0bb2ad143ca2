import { isSubscribed, subscriptionFieldOf, type Subscription } from '../../access/records/subscription.js';
import { subscriptionProperties, type SubscriptionPropertyChanged } from '../../events/subscriptions.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';

const color = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;

/**
 * The stored form of a colour: lower case, six digits, with a number sign, as clients require.
 *
 * @param sent `#rgb` or `#rrggbb`, in any case
 * @throws ApplicationError `invalidColor`
 */
export function colorOf(sent: unknown): string {
  const normalized = typeof sent === 'string' ? sent.trim().toLowerCase() : '';
  if (!color.test(normalized)) throw failure('invalidColor');
  if (normalized.length === 7) return normalized;
  return `#${[...normalized.slice(1)].map((digit) => digit + digit).join('')}`;
}

/** A property that a person can set for a channel, by its name in events. */
type SubscriptionProperty = (typeof subscriptionProperties)[number];

/** A property as a client sets it. */
export interface PropertyRequest {
  readonly channelId: number;
  /** Name of the property in the API, `in_home_view` included. */
  readonly property: string;
  readonly value: unknown;
}

/** A property with its stored value. */
interface PropertyChange {
  readonly channelId: number;
  readonly property: SubscriptionProperty;
  readonly value: boolean | string;
}

/**
 * The change that a client's request makes: `in_home_view` is the inverse of `is_muted`, and a colour is
 * normalized.
 *
 * @throws ApplicationError `unknownSubscriptionProperty`, `invalidColor`, `invalidBooleanProperty`
 */
function propertyChangeOf({ channelId, property, value }: PropertyRequest): PropertyChange {
  if (property === 'color') return { channelId, property, value: colorOf(value) };
  if (property === 'in_home_view') {
    return { channelId, property: 'is_muted', value: !booleanOf(property, value) };
  }
  const known = subscriptionProperties.find((name) => name === property);
  if (known === undefined) throw failure('unknownSubscriptionProperty', { reason: property });
  return { channelId, property: known, value: booleanOf(known, value) };
}

function booleanOf(property: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw failure('invalidBooleanProperty', { reason: property });
  return value;
}

/** Of several values for one property of a channel only the last counts. */
function lastOfEach(changes: readonly PropertyChange[]): PropertyChange[] {
  return [...new Map(changes.map((change) => [`${change.channelId} ${change.property}`, change])).values()];
}

/** What the decision depends on beside the request. */
interface SettingContext {
  readonly userId: number;
  /** Also of a person who left; null where there is none. */
  readonly subscription: (channelId: number, userId: number) => Subscription | null;
}

/**
 * Sets how channels look or notify for one person.
 *
 * @returns events for the stream of one channel, the first with the other channels in its continuation; none
 * when everything is set so already
 * @throws ApplicationError `notSubscribed`
 */
export function decideSetting(
  requests: readonly PropertyRequest[],
  { userId, subscription }: SettingContext,
): EventOf<typeof SubscriptionPropertyChanged>[] {
  const changes = lastOfEach(requests.map(propertyChangeOf)).filter((change) => {
    const existing = subscription(change.channelId, userId);
    if (existing === null || !isSubscribed(existing)) throw failure('notSubscribed');
    return existing[subscriptionFieldOf[change.property]] !== change.value;
  });
  const [first] = changes;
  if (first === undefined) return [];
  const continuation = changes.filter(({ channelId }) => channelId !== first.channelId);
  return changes
    .filter(({ channelId }) => channelId === first.channelId)
    .map((change, index) => ({
      type: 'SubscriptionPropertyChanged',
      data: { ...change, userId, continuation: index === 0 ? continuation : [] },
    }));
}
