import type { ClientState, Handler, Item } from './client-state.js';

/** Events about accounts, bots and groups. */
export const peopleEvents: Readonly<Record<string, Handler>> = {
  realm_user: (state, { op, person }) => {
    if (op === 'add') state.users.set(person.user_id as number, { is_active: true, ...person });
    else if (op === 'remove') {
      state.users.delete(person.user_id as number);
      delete state.statuses[person.user_id as number];
    } else updateUser(state, person as Item);
  },
  realm_bot: (state, { op, bot }) => {
    const bots = state.lists.realm_bots;
    if (op === 'delete') bots.delete(bot.user_id as number);
    else bots.set(bot.user_id as number, { ...bots.get(bot.user_id as number), ...bot });
  },
  user_group: (state, event) => {
    const groups = state.lists.realm_user_groups;
    const group = groups.get(event['group_id'] as number);
    if (event['op'] === 'add') groups.set(event['group'].id as number, event['group'] as Item);
    else if (event['op'] === 'remove') groups.delete(event['group_id'] as number);
    else if (group !== undefined) updateGroup(group, event);
  },
  user_status: (state, { user_id: userId, id: _id, type: _type, ...change }) => {
    const status: Item = { ...state.statuses[userId as number], ...change };
    if (status['away'] === false) delete status['away'];
    if (status['status_text'] === '') delete status['status_text'];
    if (status['emoji_name'] === '') {
      for (const name of ['emoji_name', 'emoji_code', 'reaction_type']) delete status[name];
    }
    if (Object.keys(status).length === 0) delete state.statuses[userId as number];
    else state.statuses[userId as number] = status;
  },
};

/** Sent with an account's new picture, but no member of an account. */
const ofPicturesOnly = ['avatar_url_medium', 'avatar_source'];

function updateUser(state: ClientState, person: Item): void {
  const { user_id: id, custom_profile_field: field, new_email: email, ...rest } = person;
  const address = email === undefined ? {} : { email: email as string };
  const role = rest['role'] === undefined ? {} : membersOfRole(rest['role'] as number);
  const user = state.users.get(id as number);
  if (user !== undefined) {
    const fields = Object.entries(rest).filter(([name]) => !ofPicturesOnly.includes(name));
    Object.assign(user, Object.fromEntries(fields), address, role);
    if (field !== undefined) user['profile_data'] = withField(user['profile_data'] as Item, field as Item);
  }
  if (id !== state.userId) return;
  const own = Object.entries(rest).filter(([name]) => name in state.own);
  const moderates = rest['role'] === undefined ? {} : { is_moderator: rest['role'] <= 300 };
  Object.assign(state.own, Object.fromEntries(own), address, role, moderates);
}

function membersOfRole(role: number): Item {
  return { is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 };
}

function withField(data: Item, { id, ...value }: Item): Item {
  const others = Object.entries(data).filter(([fieldId]) => fieldId !== String(id));
  return Object.fromEntries(value['value'] === null ? others : [...others, [id, value]]);
}

function updateGroup(group: Item, event: Item): void {
  const op = event['op'] as string;
  if (op === 'update') {
    Object.assign(group, event['data']);
    return;
  }
  const name = op.endsWith('_members') ? 'members' : 'direct_subgroup_ids';
  const ids = event[op.endsWith('_members') ? 'user_ids' : 'direct_subgroup_ids'] as readonly number[];
  const others = (group[name] as number[]).filter((id) => !ids.includes(id));
  group[name] = op.startsWith('add_') ? [...others, ...ids] : others;
}
