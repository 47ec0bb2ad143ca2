/** Makes a text of the shape that a parameter needs, of as many characters as a filling has, by the parameter's name. */
const shapes: Readonly<Record<string, (filling: string) => string>> = {
  email: address,
  new_email: address,
  payload_url: (filling) => prefixed('https://example.com/', filling),
  service_payload_url: (filling) => prefixed('https://example.com/', filling),
  url_template: (filling) => around('https://example.com/', filling, '{code}'),
  pattern: (filling) => around('', filling, '(?P<id>[0-9]+)'),
  domain: (filling) => around('', labels(filling), '.com'),
  type: names,
  role: names,
  jitsi_server_url: (filling) => prefixed('https://example.com/', filling),
  bundle: (filling) => around('{"a":"', filling, '"}'),
  kept: (filling) => around('{"a":"', filling, '"}'),
  earlier: (filling) => around('{"a":"', filling, '"}'),
  widget_content: (filling) =>
    around('{"widget_type":"zform","extra_data":{"type":"choices","heading":"', filling, '","choices":[]}}'),
};

/** Parameters that take ASCII letters only, or are as long as a request holds of those. */
const ascii: ReadonlySet<string> = new Set([
  ...['email', 'new_email', 'domain', 'type', 'role', 'short_name', 'pygments_language'],
  ...['payload_url', 'service_payload_url', 'jitsi_server_url', 'bundle', 'kept', 'earlier'],
]);

/** Whether a parameter is tried with ASCII letters only. */
export function isAscii(name: string): boolean {
  return ascii.has(name);
}

/** A text that has its right shape, for parameters that need one, and as many characters as the filling. */
export function rightText(name: string, filling: string): string {
  return shapes[name]?.(filling) ?? filling;
}

function around(before: string, filling: string, after: string): string {
  return before + filling.slice(0, filling.length - before.length - after.length) + after;
}

function prefixed(before: string, filling: string): string {
  return around(before, filling, '');
}

/** An address has at most 64 characters before the @. */
function address(filling: string): string {
  const local = filling.slice(0, 64).toWellFormed();
  return `${local}@${around('', labels(filling.slice(65)), '.com')}`;
}

/** Labels of a domain, of at most 63 characters each. */
function labels(filling: string): string {
  return filling.replaceAll(/.{60}(?=...)/gs, (label) => `${label.slice(0, -1)}.`);
}

/** Names of a hundred characters, separated by commas. */
function names(filling: string): string {
  return filling.replaceAll(/.{101}(?=.)/gs, (name) => `${name.slice(0, -1)},`);
}

/** The list of so many different items that a text parameter takes. */
export function rightListText(name: string, count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (name === 'invitee_emails') return numbers.map((number) => `guest${number}@example.com`).join(',');
  if (name === 'narrow')
    return JSON.stringify(
      numbers.map((number) => ({ operator: 'topic', operand: `topic ${number}`, negated: true })),
    );
  return JSON.stringify(name === 'to' ? numbers : { direct_members: numbers, direct_subgroups: [] });
}
