/** The running server's name for the command `palimpsest owner reset-key`. */
export const resetOwnerKeyCommand = 'owner reset-key';
export const erasePersonCommand = 'owner erase-person';
export const reactivateOrganizationCommand = 'owner reactivate-organization';
export const ownerCommandNames = [
  resetOwnerKeyCommand,
  erasePersonCommand,
  reactivateOrganizationCommand,
] as const;
