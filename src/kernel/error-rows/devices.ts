import { badRequest, row } from './error-row.js';

export const deviceErrors = {
  tooManyDeviceTokens: badRequest('You have too many device tokens.'),
  invalidDeviceToken: badRequest('Empty or invalid device token'),
  noSuchDeviceToken: badRequest('Token does not exist'),
  invalidPushDeviceToken: row('INVALID_PUSH_DEVICE_TOKEN', 400, 'Device not recognized'),
  noSuchDevice: badRequest('Invalid device_id'),
  tooManyDevices: badRequest('You have too many devices.'),
  nothingToRegister: badRequest('Either a push key or a token is needed.'),
  pushKeyRequired: badRequest('The device has no push key yet.'),
  invalidPushKey: badRequest("Bad value for 'push_key'"),
  noActivePushDevice: row('NO_ACTIVE_PUSH_DEVICE', 400, 'No device is registered for push notifications.'),
  pushServiceNotConfigured: row(
    'PUSH_SERVICE_NOT_CONFIGURED',
    400,
    'Push notifications are not configured on this server.',
  ),
  adminActionRequired: row(
    'ADMIN_ACTION_REQUIRED',
    403,
    'The push notification service refuses this server: its administrator must look after that.',
  ),
  failedToConnectBouncer: row(
    'FAILED_TO_CONNECT_BOUNCER',
    502,
    'The push notification service could not be reached.',
  ),
  internalServerErrorOnBouncer: row(
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    502,
    'The push notification service failed.',
  ),
} as const;
