import type { ProfileDataChanged, ProfileFieldEvent } from '../../events/profile-fields.js';
import { fieldTypes } from '../../events/values/field-types.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { AddressedEvent, MapperContext, Mappers } from '../../realtime/mapper.js';
import { fieldObjects } from './queries/profile-fields.js';

/** The profile fields. */
export const profileFieldState: InitialState = {
  custom_profile_fields: ({ snapshot: { directory } }) => ({
    custom_profile_fields: fieldObjects(directory.profiles.fields.fields),
    custom_profile_field_types: fieldTypes,
  }),
};

/** Client events about profile fields: the complete list. */
export const profileFieldMappers: Mappers<ProfileFieldEvent> = {
  ProfileFieldCreated: { clientEvents: fieldsEvent },
  ProfileFieldChanged: { clientEvents: fieldsEvent },
  ProfileFieldsReordered: { clientEvents: fieldsEvent },
  ProfileFieldDeleted: { clientEvents: fieldsEvent },
};

function fieldsEvent(_event: unknown, { snapshot: { directory } }: MapperContext): readonly AddressedEvent[] {
  const fields = fieldObjects(directory.profiles.fields.fields);
  return [{ to: 'everyone', event: { type: 'custom_profile_fields', fields } }];
}

/** Client events about a person's profile, one for each field. */
export function profileEvents(
  { data: { userId, values } }: RecordedEvent<EventOf<typeof ProfileDataChanged>>,
  { snapshot: { directory } }: MapperContext,
): readonly AddressedEvent[] {
  const said = directory.profiles.objectOf({ id: userId });
  return values.map(({ fieldId }) => {
    const field = { id: fieldId, value: null, ...said[fieldId] };
    const person = { user_id: userId, custom_profile_field: field };
    return { to: 'everyone', event: { type: 'realm_user', op: 'update', person } };
  });
}
