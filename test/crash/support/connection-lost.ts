/** Runs requests until the server is gone; errors that say anything else are those of the test. */
export async function untilConnectionLost(requests: () => Promise<void>): Promise<void> {
  try {
    for (;;) await requests();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
  }
}

/** `fetch` has one error for every way in which no whole answer came; it is of another realm than the tests. */
function isConnectionLost(error: unknown): boolean {
  return (
    (error as { name?: unknown }).name === 'TypeError' && (error as { cause?: unknown }).cause !== undefined
  );
}
