import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { ActorAt } from '../../users/decisions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { ProfileFieldEvent } from '../../../events/profile-fields.js';
import { ProfileFieldChanges } from '../profile-field-changes.js';
import type { ProfileFields } from '../../../access/records/profile-fields.js';

/** Puts the fields of the profiles in another order (PATCH /realm/profile_fields). */
export class ReorderProfileFields extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fieldIds: readonly number[],
  ) {
    super();
  }
}

/** @throws ApplicationError `administratorRequired`; `invalidFieldOrder` where not every field is named once */
export function decideReorderProfileFields(
  { fields }: ProfileFields,
  fieldIds: readonly number[],
  { actor }: ActorAt,
): readonly ProfileFieldEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const named = new Set(fieldIds);
  const isWhole = fieldIds.length === fields.length && fields.every(({ fieldId }) => named.has(fieldId));
  if (!isWhole) throw failure('invalidFieldOrder');
  if (fields.every(({ fieldId }, place) => fieldIds[place] === fieldId)) return [];
  return [{ type: 'ProfileFieldsReordered', data: { fieldIds: [...fieldIds] } }];
}

@CommandHandler(ReorderProfileFields)
export class ReorderProfileFieldsHandler implements ICommandHandler<ReorderProfileFields> {
  constructor(private readonly changes: ProfileFieldChanges) {}

  async execute({ caller, fieldIds }: ReorderProfileFields): Promise<void> {
    await this.changes.decide(caller, (state, by) => decideReorderProfileFields(state, fieldIds, by));
  }
}
