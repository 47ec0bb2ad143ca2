/** Name of the stream that holds what concerns one person alone. Several folds read it, each its own events. */
export function personalStream(userId: number): string {
  return `user-${userId}`;
}
