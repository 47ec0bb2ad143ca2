/** What operators and auditors type when the session is over, beside its server. */
export const commandLines: readonly (readonly string[])[] = [
  ['audit', 'log', '--type', 'MessageEdited'],
  ['audit', 'log', '--actor', 'nobody@example.com'],
  ['audit', 'log', '--colour', 'mauve'],
  ['audit', 'history', '$note'],
  ['audit', 'history', '99999'],
  ['audit', 'at', '2026-01-01T00:00:50Z', 'users/me', '--as', 'ada@example.com'],
  ['audit', 'at', 'yesterday', 'users/me'],
  ['audit', 'verify'],
  ['projections', 'dead-letters', 'list'],
  ['projections', 'pause', 'no-such-model'],
  ['owner', 'erase-person', 'nobody@example.com', '--yes'],
  ['owner', 'reactivate-organization'],
  ['dance'],
];
