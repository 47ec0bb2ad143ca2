import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PersonTraces } from '../../src/erasure/person-traces.js';
import type { StoredEvent } from '../../src/stores/event-store/port.js';
import { systemBotIds } from '../../src/access/system-bots.js';
import { sampleMessage } from '../bench/support/sample-messages.js';
import { sampleMetadata, STREAM } from '../bench/support/stored-samples.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const ada = 4;
let stores: TemporaryStores;

beforeAll(async () => {
  stores = await openTemporaryStores();
});

afterAll(() => stores.dispose());

async function noticeOf(content: string): Promise<StoredEvent> {
  const message = sampleMessage(0, { senderId: systemBotIds.notification, channelId: 1 });
  const notice = { ...message, data: { ...message.data, content } };
  const [stored] = await stores.codec.encode({ stream: STREAM, expected: 'any' }, [notice], sampleMetadata());
  return stored!;
}

describe('the keys of what the server wrote about a person', () => {
  it('are found beside a notice that nobody can read any more', async () => {
    const [broken, about, other] = [
      await noticeOf('Hello!'),
      await noticeOf(`Meet @_**Ada|${ada}**.`),
      await noticeOf('Meet @_**Bo|5**.'),
    ];
    const damaged = {
      ...broken,
      data: { ...broken.data, sealed: `A${(broken.data['sealed'] as string).slice(1)}` },
    };
    await stores.eventStore.append(STREAM, 'any', [damaged, about, other]);

    const invitations = { all: () => Promise.resolve({ byId: new Map() } as never) };
    const traces = new PersonTraces({ log: stores.log, invitations });
    expect(await traces.keysOf(ada)).toEqual([about.metadata['key']]);
  });
});
