/**
 * Texts without a bound of their own, by the reason; none is longer than a request. A name stands for the parameters of all
 * operations; where only some of them have no bound, their operation is named.
 */
export const unboundedBecause: Readonly<Record<string, readonly string[]>> = {
  'It is compared with what there is: a longer one is unknown.': [
    ...['actor', 'about', 'as', 'api_key', 'username', 'signer', 'stream', 'queue_id', 'flag', 'property'],
    ...['default_sending_stream', 'default_events_register_stream', 'emoji_code', 'emoji_name', 'command'],
    ...['onboarding_step', 'prev_content_sha256', 'timezone', 'include_subscribers'],
    'GET /api/v1/audit/log content',
    'GET /api/v1/audit/log topic',
    'GET /api/v1/audit/conversation topic',
    'GET /api/v1/audit/conversation/changes topic',
    'GET /api/v1/audit/conversation/comparison topic',
    'GET /api/v1/audit/people name',
    'GET /api/v1/audit/channels name',
    'POST /api/v1/accounts/password/reset email',
    'POST /api/v1/accounts/confirm_new_email token',
    'POST /api/v1/accounts/password/set token',
    'POST /api/v1/join token',
    'POST /api/v1/join_requests token',
    'POST /api/v1/mobile_push/test_notification token',
  ],
  'It is a present password: only its hash is compared.': [
    'old_password',
    'POST /api/v1/fetch_api_key password',
    'POST /api/v1/users/me/second_factor password',
  ],
  'It is a number, a moment or one of a few words: anything else is refused.': [
    ...['anchor', 'anchor_date', 'at', 'from', 'idle_queue_timeout', 'value'],
    ...['message_retention_days', 'security_retention_days'],
    ...['message_content_edit_limit_seconds', 'message_content_delete_limit_seconds'],
    ...['move_messages_between_streams_limit_seconds', 'move_messages_within_stream_limit_seconds'],
    'GET /api/v1/audit/log to',
    'GET /api/v1/audit/conversation/comparison to',
    'POST /api/v1/audit/cases to',
    'PATCH /api/v1/audit/cases/{case_id} to',
  ],
  'Another program makes it: its size is that of the request, and messages made from it are cut.': [
    'payload',
  ],
};
