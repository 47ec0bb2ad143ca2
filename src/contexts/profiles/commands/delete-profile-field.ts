import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { ActorAt } from '../../users/decisions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { ProfileFieldEvent } from '../../../events/profile-fields.js';
import { ProfileFieldChanges } from '../profile-field-changes.js';
import { profileField, type ProfileFields } from '../../../access/records/profile-fields.js';

/** Removes a field of the profiles, with what people wrote in it (DELETE /realm/profile_fields/{field_id}). */
export class DeleteProfileField extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fieldId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `administratorRequired`, `noSuchProfileField` */
export function decideDeleteProfileField(
  state: ProfileFields,
  fieldId: number,
  { actor }: ActorAt,
): readonly ProfileFieldEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  profileField(state, fieldId);
  return [{ type: 'ProfileFieldDeleted', data: { fieldId } }];
}

@CommandHandler(DeleteProfileField)
export class DeleteProfileFieldHandler implements ICommandHandler<DeleteProfileField> {
  constructor(private readonly changes: ProfileFieldChanges) {}

  async execute({ caller, fieldId }: DeleteProfileField): Promise<void> {
    await this.changes.decide(caller, (state, by) => decideDeleteProfileField(state, fieldId, by));
  }
}
