/** What the pattern of a path calls a segment that is a whole number. */
export type IdentifierName = `${string}_id`;

/** What a path holds for the names of its pattern, decoded. */
export type PathSegments = Readonly<Record<string, string | undefined>>;

const identifier = /^\d{1,15}$/;

/** Whether a segment is a whole number. */
export function isIdentifier(segment: string): boolean {
  return identifier.test(segment);
}

/**
 * Whether a path is what a pattern means, not only of its shape: `/messages/flags` is none of `/messages/:message_id`.
 * What is no id belongs to no resource, `me` is nobody’s address, and no segment is empty but the rest of a path that `*` stands for.
 */
export function fitsPattern(segments: PathSegments): boolean {
  return Object.entries(segments).every(([name, segment = '']) => {
    if (name.endsWith('_id')) return isIdentifier(segment);
    if (name.endsWith('_or_email') && segment === 'me') return false;
    return segment !== '' || name === '*';
  });
}
