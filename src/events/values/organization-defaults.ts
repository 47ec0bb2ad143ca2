/** The system groups in the order of their creation, so that their ids are 1 to 8 in every organization. */
export const systemGroups = [
  { id: 1, name: 'role:internet', description: 'Everyone on the Internet', subgroup: 2 },
  {
    id: 2,
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    subgroup: 3,
  },
  {
    id: 3,
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    subgroup: 4,
  },
  {
    id: 4,
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    subgroup: 5,
  },
  { id: 5, name: 'role:moderators', description: 'Moderators of this organization', subgroup: 6 },
  {
    id: 6,
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    subgroup: 7,
  },
  { id: 7, name: 'role:owners', description: 'Owners of this organization', subgroup: null },
  { id: 8, name: 'role:nobody', description: 'Nobody', subgroup: null },
] as const;

/** Ids of the system groups, by name. */
export const systemGroupIds = {
  internet: 1,
  everyone: 2,
  members: 3,
  fullMembers: 4,
  moderators: 5,
  administrators: 6,
  owners: 7,
  nobody: 8,
} as const;

/** Lengths are in Unicode code points. */
export const limits = {
  topic: 60,
  message: 10_000,
  channelName: 60,
  channelDescription: 1024,
  channelFolderName: 60,
  reminderNote: 500,
  fullNameMinimum: 2,
  fullName: 100,
  groupName: 100,
  passwordMinimum: 6,
  passwordMaximum: 100,
} as const;
