import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { Scene } from './pictures.js';
import type { TestConsole } from './test-console.js';

interface Person {
  readonly id: number;
  readonly client: ApiClient;
}

/** Lets some people talk, change their minds, and be looked after, so that every page has something to show. */
export async function playScene({ server, owner }: TestConsole): Promise<Scene> {
  await owner.must('patch', 'realm', {
    name: 'Lovelace Engine Works',
    description: 'We keep engines running.',
  });
  const { user_id: ownId } = await owner.must('get', 'users/me');
  await owner.must('patch', `users/${ownId as number}`, { full_name: 'Iris Oakley' });
  const people: Person[] = [];
  for (const name of ['Ada Quill', 'Ben Loom', 'Cleo Vane', 'Dev Marsh'])
    people.push(await server.createUser(owner, name));
  const [ada, ben, cleo] = people as [Person, Person, Person, Person];
  const principals = people.map(({ id }) => id);
  const channelId = await ada.client.createChannel('engines', { principals });
  await ada.client.createChannel('deliveries', { principals });
  const messageId = await talk({ ada, ben, cleo, owner });
  await lookAfter({ owner, channelId, cleo, ada });
  const scope = { name: 'Bearing failure', description: 'What was known of it, and when', words: 'bearing' };
  const { id: caseId } = await owner.must('post', 'audit/cases', { ...scope, channel_ids: [channelId] });
  const seals = async (): Promise<readonly unknown[]> =>
    (await owner.must('get', 'audit/seals'))['seals'] as readonly unknown[];
  await eventually(seals, (made) => made.length > 1);
  const { events } = await owner.must('get', 'audit/log', { type: 'MessageDeleted' });
  const [deletion] = events as readonly { readonly position: number }[];
  const before = deletion!.position - 1;
  return { channelId, personId: cleo.id, messageId, caseId: caseId as number, before };
}

/** @returns the id of the message that has a life */
async function talk({
  ada,
  ben,
  cleo,
  owner,
}: Readonly<Record<'ada' | 'ben' | 'cleo', Person>> & { readonly owner: ApiClient }): Promise<number> {
  const say = (who: Person, topic: string, content: string): Promise<number> =>
    who.client.sendToChannel('engines', topic, content);
  const messageId = await say(ada, 'bearings', 'The **third** bearing runs hot, at 61 °C.');
  await say(ben, 'bearings', 'Since when? It was fine on Monday.');
  await ada.client.must('patch', `messages/${messageId}`, {
    content: 'The **second** bearing runs hot, at 61 °C.',
  });
  await cleo.client.must('post', `messages/${messageId}/reactions`, { emoji_name: 'eyes' });
  await say(cleo, 'bearings', 'Since the new grease, I think. Changing it back tonight.');
  const gone = await say(ben, 'bearings', 'Between us: nobody had the grease tested.');
  await owner.must('delete', `messages/${gone}`);
  const read = { op: 'add', flag: 'read', messages: [messageId] };
  for (const who of [ben, cleo]) await who.client.must('post', 'messages/flags', read);
  for (const part of ['cylinder', 'valve', 'governor'])
    await say(ben, 'inspection', `Looked at the ${part}: good.`);
  const stray = await say(ben, 'inspection', 'The crankshaft is due on **Thursday**.');
  await owner.must('patch', `messages/${stray}`, { topic: 'spare parts', propagate_mode: 'change_one' });
  return messageId;
}

async function lookAfter({
  owner,
  channelId,
  cleo,
  ada,
}: {
  readonly owner: ApiClient;
  readonly channelId: number;
  readonly cleo: Person;
  readonly ada: Person;
}): Promise<void> {
  await owner.must('patch', `users/${cleo.id}`, { role: 300 });
  await owner.must('patch', `users/${cleo.id}`, { full_name: 'Cleo Vane-Loom' });
  await owner.must('patch', `streams/${channelId}`, { description: 'Everything that turns' });
  await owner.must('post', 'user_groups/create', {
    name: 'night shift',
    description: 'Who is called at night',
    members: [ada.id, cleo.id],
  });
  await owner.must('patch', `streams/${channelId}`, { new_name: 'engine-room' });
  await owner.must('patch', `streams/${channelId}`, { new_name: 'engines' });
}
