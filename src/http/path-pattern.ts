/** A segment of a path pattern that stands for an integer. */
export type IdentifierName = `${string}_id`;

/** The decoded segments of a path, by the names in its pattern. */
export type PathSegments = Readonly<Record<string, string | undefined>>;

const identifier = /^\d{1,15}$/;

/** Whether a segment is an integer. */
export function isIdentifier(segment: string): boolean {
  return identifier.test(segment);
}

/**
 * Whether a path fits its pattern in more than its shape: `/messages/flags` does not fit
 * `/messages/:message_id`. Ids must be integers, `me` is not an address, and segments are not empty, except
 * for the rest of a path that `*` stands for.
 */
export function fitsPattern(segments: PathSegments): boolean {
  return Object.entries(segments).every(([name, segment = '']) => {
    if (name.endsWith('_id')) return isIdentifier(segment);
    if (name.endsWith('_or_email') && segment === 'me') return false;
    return segment !== '' || name === '*';
  });
}
