import { fieldTypes } from '../../events/values/field-types.js';
import type { InitialState } from '../../realtime/initial-state.js';
import { fieldObjects } from './views/field-object.js';

/** The profile fields. */
export const profileFieldState: InitialState = {
  custom_profile_fields: ({ snapshot: { directory } }) => ({
    custom_profile_fields: fieldObjects(directory.profiles.fields.fields),
    custom_profile_field_types: fieldTypes,
  }),
};
