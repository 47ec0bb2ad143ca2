/** Stands for a value of which what is tested uses the given part alone. */
export function standIn<Whole>(part: unknown): Whole {
  return part as Whole;
}
