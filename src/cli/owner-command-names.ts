/** What the running server knows the commands of `palimpsest owner` by. */
export const resetOwnerKeyCommand = 'owner reset-key';
export const erasePersonCommand = 'owner erase-person';
export const ownerCommandNames = [resetOwnerKeyCommand, erasePersonCommand] as const;
