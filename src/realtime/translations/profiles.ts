import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { fieldObjects } from '../../profiles/views/field-object.js';
import type { ProfileDataChanged, ProfileFieldEvent } from '../../profiles/events.js';
import type { Notice, Scene, Translations } from '../translation.js';

/** The fields of the profiles: the whole list, whatever of it changed. */
export const profileFieldTranslations: Translations<ProfileFieldEvent> = {
  ProfileFieldCreated: { notices: fieldsNotice },
  ProfileFieldChanged: { notices: fieldsNotice },
  ProfileFieldsReordered: { notices: fieldsNotice },
  ProfileFieldDeleted: { notices: fieldsNotice },
};

function fieldsNotice(_event: unknown, { moment: { directory } }: Scene): readonly Notice[] {
  const fields = fieldObjects(directory.profiles.fields.fields);
  return [{ to: 'everyone', event: { type: 'custom_profile_fields', fields } }];
}

/** What a person's profile says in a field, one field at a time. */
export function profileNotices(
  { data: { userId, values } }: RecordedEvent<EventOf<typeof ProfileDataChanged>>,
  { moment: { directory } }: Scene,
): readonly Notice[] {
  const said = directory.profiles.objectOf({ id: userId });
  return values.map(({ fieldId }) => {
    const field = { id: fieldId, value: null, ...said[fieldId] };
    const person = { user_id: userId, custom_profile_field: field };
    return { to: 'everyone', event: { type: 'realm_user', op: 'update', person } };
  });
}
