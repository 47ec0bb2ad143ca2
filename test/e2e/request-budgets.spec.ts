import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { ApiClient } from '../support/api-client.js';
import { pngOf } from '../support/images.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
});

afterAll(async () => {
  await server.stop();
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

async function refusalOf(answer: ReturnType<ApiClient['post']>): Promise<unknown[]> {
  const { status, body } = await answer;
  return [status, body.msg];
}

describe('the subscriptions that one request changes have a maximum number', () => {
  const channelsOfRequest = budgets.channelsOfRequest;
  const subscriptionsOfRequest = budgets.subscriptionsOfRequest;
  const tooManyChannels = `Too many channels in one request (limit: ${channelsOfRequest.max}).`;
  const tooMany = `Too many subscriptions in one request: people times channels (limit: ${subscriptionsOfRequest.max}).`;
  const channels = numbers(channelsOfRequest.max + 1).map((number) => `channel ${number}`);
  const all = 'users/me/subscriptions';

  it('of channels', async () => {
    const subscriptions = channels.map((name) => ({ name }));
    const refusal = [400, tooManyChannels];
    expect(await refusalOf(owner.post(all, { subscriptions }))).toEqual(refusal);
    expect(await refusalOf(owner.patch(all, { add: subscriptions }))).toEqual(refusal);
    expect(await refusalOf(owner.patch(all, { delete: channels }))).toEqual(refusal);
    expect(await refusalOf(owner.delete(all, { subscriptions: channels }))).toEqual(refusal);
    // Within the bound, it is looked which they are.
    const [status, msg] = await refusalOf(owner.delete(all, { subscriptions: channels.slice(1) }));
    expect([status, msg]).toEqual([400, `Channel(s) (${channels.slice(1).join(', ')}) do not exist`]);
  });

  it('of people times channels', async () => {
    const people = numbers(subscriptionsOfRequest.max / 2 + 1);
    const [one, two] = [[{ name: 'a' }], [{ name: 'a' }, { name: 'b' }]];
    expect(await refusalOf(owner.post(all, { subscriptions: two, principals: people }))).toEqual([
      400,
      tooMany,
    ]);
    expect(await refusalOf(owner.delete(all, { subscriptions: ['a', 'b'], principals: people }))).toEqual([
      400,
      tooMany,
    ]);
    // Within the bound, it is looked who they are.
    expect(await refusalOf(owner.post(all, { subscriptions: one, principals: people }))).toEqual([
      400,
      'No such user',
    ]);
  });
});

it('The description of a user group has the same maximum length as that of a channel', async () => {
  const refusal = [400, 'description is too long (limit: 1024 characters)'];
  const group = { name: 'weavers', members: [] };
  const tooLong = { description: 'a'.repeat(1025) };
  expect(await refusalOf(owner.post('user_groups/create', { ...group, ...tooLong }))).toEqual(refusal);
  const longest = { description: 'a'.repeat(1024) };
  const { group_id: id } = await owner.must('post', 'user_groups/create', { ...group, ...longest });
  expect(await refusalOf(owner.patch(`user_groups/${id}`, tooLong))).toEqual(refusal);
});

it('One request invites a maximum number of people', async () => {
  const max = budgets.addressesOfRequest.max;
  const invite = (count: number): Promise<unknown[]> =>
    refusalOf(owner.post('invites', { invitee_emails: numbers(count).join(','), stream_ids: [] }));
  expect(await invite(max + 1)).toEqual([400, `Too many addresses in one request (limit: ${max}).`]);
  // Within the bound, it is looked which they are.
  expect(await invite(max)).toEqual([400, 'Some emails did not validate, so no invitations were sent.']);
});

describe('an image', () => {
  const uploaded = async (bytes: Buffer): Promise<unknown[]> =>
    refusalOf(owner.upload('users/me/avatar', new File([new Uint8Array(bytes)], 'picture.png')));

  it('has a maximum number of pixels', async () => {
    const width = 10_000;
    const height = budgets.imagePixels.max / width;
    expect(await uploaded(pngOf(width, height))).toEqual([200, '']);
    expect(await uploaded(pngOf(width, height + 1))).toEqual([400, 'Image size exceeds limit.']);
  });

  it('has a maximum size in bytes', async () => {
    const max = budgets.imageMebibytes.max;
    const tooLarge = Buffer.concat([pngOf(1, 1), Buffer.alloc(max * 1024 * 1024)]);
    expect(await uploaded(tooLarge)).toEqual([
      400,
      `Uploaded file is larger than the allowed limit of ${max} MiB`,
    ]);
  });
});
