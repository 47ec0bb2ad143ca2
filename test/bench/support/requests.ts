import type { ApiClient } from '../../support/api-client.js';
import type { LoadRequest } from './load.js';
import { sampleText, sampleTopic } from './sample-messages.js';

/** Requests that send messages to several topics of a channel. */
export function sendRequests(channelId: number, authorization: string): readonly LoadRequest[] {
  return formRequests('/api/v1/messages', authorization, (index) => ({
    type: 'stream',
    to: String(channelId),
    topic: sampleTopic(index),
    content: sampleText(index),
  }));
}

/** Requests that only render the same texts. */
export function renderRequests(authorization: string): readonly LoadRequest[] {
  return formRequests('/api/v1/messages/render', authorization, (index) => ({ content: sampleText(index) }));
}

/** Requests that edit messages in turn, each time with another text. */
export function editRequests(messageIds: readonly number[], authorization: string): readonly LoadRequest[] {
  return formRequests('', authorization, (index) => ({ content: sampleText(index) })).map(
    (request, index) => ({
      ...request,
      method: 'PATCH',
      path: `/api/v1/messages/${messageIds[index % messageIds.length]!}`,
    }),
  );
}

function formRequests(
  path: string,
  authorization: string,
  form: (index: number) => Readonly<Record<string, string>>,
): readonly LoadRequest[] {
  return Array.from({ length: 100 }, (_, index) => ({
    method: 'POST',
    path,
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'bench/1' },
    body: new URLSearchParams(form(index)).toString(),
  }));
}

/** Sends a number of messages to a channel, several at the same time. */
export async function sendMessages(client: ApiClient, channelId: number, count: number): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const send = async (): Promise<void> => {
    for (const index of indexes) {
      const [topic, content] = [sampleTopic(index), sampleText(index)];
      await client.must('post', 'messages', { type: 'stream', to: channelId, topic, content });
    }
  };
  await Promise.all([send(), send(), send(), send()]);
}

/** Requests the newest 100 messages that a person received, or those of one channel. */
export function pageRequest(authorization: string, channelId?: number): LoadRequest {
  const query = new URLSearchParams({ anchor: 'newest', num_before: '100', num_after: '0' });
  if (channelId !== undefined) {
    query.set('narrow', JSON.stringify([{ operator: 'channel', operand: channelId }]));
  }
  return {
    method: 'GET',
    path: `/api/v1/messages?${query.toString()}`,
    headers: { authorization, 'user-agent': 'bench/1' },
  };
}

/** Creates a channel and returns its id. */
export function createChannel(
  client: ApiClient,
  name: string,
  principals?: readonly number[],
): Promise<number> {
  return client.createChannel(name, { principals });
}
