import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wholeLog } from '../../src/audit/log/requested-selection.js';
import { accessOf } from '../../src/audit/cases/tasks/case-task.js';
import { sentenceOf } from '../../src/audit/sentences/sentence-of.js';
import { AUDITS_STREAM } from '../../src/events/audit.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { ownerKeyId } from '../../src/stores/key-store/owner-keys.js';
import type { PersistedEvent } from '../../src/stores/event-store/port.js';
import { metadataOf } from '../support/given.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const auditor = 4;
const scope = { userIds: [], channelIds: [], since: null, until: null };
let stores: TemporaryStores;

beforeAll(async () => {
  stores = await openTemporaryStores();
});

afterAll(() => stores.dispose());

async function record(access: object): Promise<PersistedEvent> {
  const data = { userId: auditor, operator: null, selection: wholeLog, ...access };
  const event = { type: 'LogAudited', data } as const;
  const target = { stream: AUDITS_STREAM, expected: 'any' } as const;
  const { revision } = await stores.log.append(target, [event], metadataOf(auditor));
  return (await stores.eventStore.readStream(AUDITS_STREAM, { from: revision, limit: 1 }))[0]!;
}

async function told(stored: PersistedEvent): Promise<string | null> {
  const [event] = await stores.log.decode([stored]);
  return sentenceOf(event as RecordedEvent, { nameAt: () => null });
}

describe('the record of a search in a case', () => {
  it('has its words only encrypted, and they are erased with the auditor', async () => {
    const search = { kind: 'search', scope, words: null, query: 'Xanthippe', after: 2 } as const;
    const stored = await record(accessOf(1, search));
    expect(JSON.stringify(stored)).not.toContain('Xanthippe');
    expect(await told(stored)).toContain('words “Xanthippe”');
    await stores.vault.destroy([ownerKeyId(auditor)]);
    expect(await told(stored)).toContain('(caseId 1, after 2 and words “(erased)”)');
  });

  it('needs no key where the auditor wrote nothing', async () => {
    const stored = await record(accessOf(1, { kind: 'size', scope, words: null }));
    expect(stored.metadata['key']).toBeUndefined();
    expect(stored.data['sealed']).toBeUndefined();
  });
});
