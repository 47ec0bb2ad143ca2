/** What the running server knows the commands of `palimpsest owner` by. */
export const resetOwnerKeyCommand = 'owner reset-key';
export const erasePersonCommand = 'owner erase-person';
export const reactivateOrganizationCommand = 'owner reactivate-organization';
export const ownerCommandNames = [
  resetOwnerKeyCommand,
  erasePersonCommand,
  reactivateOrganizationCommand,
] as const;
