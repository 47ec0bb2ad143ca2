import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { ActorAt } from '../../users/decisions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { ProfileFieldEvent } from '../../../events/profile-fields.js';
import { fieldDataOf } from '../../../access/records/field-data.js';
import {
  assertNameFree,
  assertRoomInSummary,
  assertSupported,
  labelsOf,
  type FieldOptions,
} from '../field-definition.js';
import { fieldTypeSchema } from '../../../events/values/field-types.js';
import { ProfileFieldChanges } from '../profile-field-changes.js';
import type { ProfileFields } from '../../../access/records/profile-fields.js';

/** What a new field is to be. */
export interface NewField extends Omit<FieldOptions, 'fieldData'> {
  readonly fieldType: number;
  /** As it was sent. */
  readonly fieldData: unknown;
}

/** Gives the profiles another field (specification, POST /realm/profile_fields). Answers its id. */
export class CreateProfileField extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly field: NewField,
  ) {
    super();
  }
}

/**
 * The checks come in the order that clients know (facts, section 2).
 *
 * @throws ApplicationError `administratorRequired`, `summaryFull`, `invalidFieldData`, a name or hint that will not do,
 * `invalidFieldType`, `summaryUnsupported`, `matchingUnsupported`, `profileFieldNameTaken`, `tooManyProfileFields`
 */
export function decideCreateProfileField(
  state: ProfileFields,
  sent: NewField,
  { actor }: ActorAt,
): readonly ProfileFieldEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const fieldId = state.created + 1;
  if (sent.displayInSummary) assertRoomInSummary(state, fieldId);
  const fieldData = fieldDataOf(sent.fieldType, sent.fieldData);
  const labels = labelsOf({ fieldType: sent.fieldType, fieldData }, sent);
  const type = fieldTypeSchema.safeParse(sent.fieldType);
  if (!type.success) throw failure('invalidFieldType');
  const field = { ...sent, ...labels, fieldId, fieldType: type.data, fieldData };
  assertSupported(field);
  assertNameFree(state, field);
  if (state.fields.length >= budgets.profileFields.max) throw failure('tooManyProfileFields');
  return [{ type: 'ProfileFieldCreated', data: field }];
}

@CommandHandler(CreateProfileField)
export class CreateProfileFieldHandler implements ICommandHandler<CreateProfileField> {
  constructor(private readonly changes: ProfileFieldChanges) {}

  async execute({ caller, field }: CreateProfileField): Promise<number> {
    const { created } = await this.changes.decide(caller, (state, by) =>
      decideCreateProfileField(state, field, by),
    );
    return created;
  }
}
