import type { Directory } from '../../src/access/directory.js';
import type { DirectoryRecords } from '../../src/access/directory-records.js';

/** Everything in a directory, sorted, so that two can be compared. */
export function snapshotOf(directory: Directory): DirectoryRecords {
  const channels = [...directory.channels()].sort(byId);
  return {
    organization: directory.organization,
    users: [...directory.users()].sort(byId),
    settings: [...directory.settings.all()].sort((a, b) => a.userId - b.userId),
    statuses: [...directory.statuses.values()].sort((a, b) => a.userId - b.userId),
    settingDefaults: directory.settings.defaults,
    profileFields: directory.profiles.fields,
    profiles: [...directory.profiles.all()].sort((a, b) => a.userId - b.userId),
    linkifiers: directory.linkifiers,
    customEmoji: directory.customEmoji,
    groups: [...directory.groups()].sort(byId),
    channels,
    channelFolders: directory.channelFolders,
    subscriptions: channels.flatMap(({ id }) =>
      [...directory.subscriptionsOf(id)].sort((a, b) => a.userId - b.userId),
    ),
  };
}

function byId(a: { readonly id: number }, b: { readonly id: number }): number {
  return a.id - b.id;
}
