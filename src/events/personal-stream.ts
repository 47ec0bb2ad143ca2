/** Name of a person's own stream. Several folds read it, each its own events. */
export function personalStream(userId: number): string {
  return `user-${userId}`;
}
