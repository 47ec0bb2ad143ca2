import { ApiClient } from '../../support/api-client.js';
import { openEmbeddedStores } from '../../support/temporary-stores.js';
import { registerPeople } from '../support/people.js';
import { ownerOf, startProduct } from '../support/server-process.js';
import { topicAt, type NamedPerson } from './conversation.js';
import { soughtWords } from './texts.js';

/** The credentials of a person. */
export interface Login {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly key: string;
}

/** The people and channels of an organization for a long conversation. */
export interface Members {
  /** The person whose requests are measured: an ordinary member, subscribed to every channel. */
  readonly requester: Login;
  /** Three other people, who use the server meanwhile. */
  readonly bystanders: readonly [looksUp: Login, reads: Login, sends: Login];
  readonly people: readonly NamedPerson[];
  readonly channelIds: readonly number[];
}

const PEOPLE = 200;
const CHANNELS = 100;
const CHANNELS_AT_ONCE = 20;
const PASSWORD = 'correct horse battery staple';

/** Creates an organization with 200 people in 100 channels, and the preferences of one of them. */
export async function beginOrganization(folder: string): Promise<Members> {
  const logins = await registerLogins(folder);
  const [requester, ...bystanders] = logins as [Login, Login, Login, Login];
  const people = await registerOthers(folder);
  const product = await startProduct(folder);
  try {
    const client = new ApiClient(product.site, requester);
    const principals = [...logins, ...people].map(({ id }) => id);
    const owner = await ownerOf(product, folder);
    const channelIds = await createChannels(owner, principals);
    await chooseTopics(client, channelIds);
    return { requester, bystanders, people, channelIds };
  } finally {
    await product.stop();
  }
}

async function registerLogins(folder: string): Promise<readonly Login[]> {
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    const stranger = new ApiClient(product.site, null);
    const logins: Login[] = [];
    for (const name of ['Requester', 'Looker', 'Reader', 'Writer']) {
      const email = `${name.toLowerCase()}@example.com`;
      const { user_id: id } = await owner.must('post', 'users', {
        email,
        password: PASSWORD,
        full_name: name,
      });
      const { api_key: key } = await stranger.must('post', 'fetch_api_key', {
        username: email,
        password: PASSWORD,
      });
      logins.push({ id: id as number, name, email, key: key as string });
    }
    return logins;
  } finally {
    await product.stop();
  }
}

async function registerOthers(folder: string): Promise<readonly NamedPerson[]> {
  const stores = await openEmbeddedStores(folder);
  try {
    return (await registerPeople(stores, PEOPLE)).map((id) => ({ id, name: `Person ${id}` }));
  } finally {
    await stores.close();
  }
}

async function createChannels(owner: ApiClient, principals: readonly number[]): Promise<readonly number[]> {
  const names = Array.from({ length: CHANNELS }, (_, index) => `channel ${index}`);
  for (let from = 0; from < CHANNELS; from += CHANNELS_AT_ONCE) {
    const subscriptions = names.slice(from, from + CHANNELS_AT_ONCE).map((name) => ({ name }));
    await owner.must('post', 'users/me/subscriptions', { subscriptions, principals });
  }
  const ids: number[] = [];
  for (const name of names) ids.push(await owner.channelId(name));
  return ids;
}

/** Adds an alert word, follows some topics, and mutes some others and a channel. */
async function chooseTopics(client: ApiClient, channelIds: readonly number[]): Promise<void> {
  await client.must('post', 'users/me/alert_words', { alert_words: [soughtWords.alert] });
  const [followed, muted] = [3, 1];
  for (let index = 0; index < 20; index += 1) {
    const stream_id = channelIds[(index * 7) % channelIds.length];
    const visibility_policy = index % 2 === 0 ? followed : muted;
    await client.must('post', 'user_topics', { stream_id, topic: topicAt(20 + index), visibility_policy });
  }
  const subscription_data = [{ stream_id: channelIds[5], property: 'is_muted', value: true }];
  await client.must('post', 'users/me/subscriptions/properties', { subscription_data });
}
