import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedProfileFields } from '../../../access/records/profile-fields.js';
import {
  NewField,
  decideCreateProfileField,
  FieldChange,
  decideChangeProfileField,
  decideDeleteProfileField,
  decideReorderProfileFields,
} from '../profile-fields.decide.js';

/** Creates a profile field (`POST /realm/profile_fields`). Returns its id. */
export class CreateProfileField extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly field: NewField,
  ) {
    super();
  }
}

@CommandHandler(CreateProfileField)
export class CreateProfileFieldHandler implements ICommandHandler<CreateProfileField> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, field }: CreateProfileField): Promise<number> {
    const { state } = await this.decisions.decide(caller, foldedProfileFields, (so, actor) =>
      decideCreateProfileField(so, field, actor),
    );
    return state.created;
  }
}

/** Changes a profile field, except its type (`PATCH /realm/profile_fields/{field_id}`). */
export class ChangeProfileField extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fieldId: number,
    readonly change: FieldChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeProfileField)
export class ChangeProfileFieldHandler implements ICommandHandler<ChangeProfileField> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, fieldId, change }: ChangeProfileField): Promise<void> {
    await this.decisions.decide(caller, foldedProfileFields, (state, actor) =>
      decideChangeProfileField(state, { fieldId, change }, actor),
    );
  }
}

/** Deletes a profile field with its values (`DELETE /realm/profile_fields/{field_id}`). */
export class DeleteProfileField extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fieldId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteProfileField)
export class DeleteProfileFieldHandler implements ICommandHandler<DeleteProfileField> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, fieldId }: DeleteProfileField): Promise<void> {
    await this.decisions.decide(caller, foldedProfileFields, (state, actor) =>
      decideDeleteProfileField(state, fieldId, actor),
    );
  }
}

/** Reorders the profile fields (`PATCH /realm/profile_fields`). */
export class ReorderProfileFields extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fieldIds: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(ReorderProfileFields)
export class ReorderProfileFieldsHandler implements ICommandHandler<ReorderProfileFields> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, fieldIds }: ReorderProfileFields): Promise<void> {
    await this.decisions.decide(caller, foldedProfileFields, (state, actor) =>
      decideReorderProfileFields(state, fieldIds, actor),
    );
  }
}
