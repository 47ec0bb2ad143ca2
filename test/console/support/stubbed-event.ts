/** An event of the log, as the API returns it, for a reply that a test makes up. */
export function eventAt(position: number) {
  return {
    position,
    type: 'MessageSent',
    stream: 'messages',
    revision: position,
    sentence: `Note ${position}.`,
    metadata: {},
  };
}
