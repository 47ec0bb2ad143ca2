import type { ApiClient, Reply } from './api-client.js';
import { eventually } from './eventually.js';

/** An order to carry out an operation on a read model or a reactor, as `GET /audit/operations` shows it. */
export interface Order {
  readonly id: string;
  readonly operation: string;
  readonly state: string;
  readonly outcome: string | null;
}

/** Gives an order over HTTP, and answers what became of it. */
export async function orderOf(
  owner: ApiClient,
  operation: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Order> {
  const given = (await owner.must('post', 'audit/operations', { operation, ...parameters }))[
    'order'
  ] as Order;
  const found = async (): Promise<Order> => {
    const { orders } = await owner.must('get', 'audit/operations');
    return (orders as readonly Order[]).find(({ id }) => id === given.id)!;
  };
  return eventually(found, ({ state }) => state !== 'running');
}

/** The events that record orders, in the log. */
export async function recordedOrders(owner: ApiClient): Promise<readonly Reply[]> {
  const { events } = await owner.must('get', 'audit/log', { stream: 'operations', limit: 1000 });
  return events as readonly Reply[];
}
