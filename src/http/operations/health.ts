/** Something that a server needs in order to serve. */
export interface HealthIndicator {
  /** Shown to operators, such as `event-store`. */
  readonly name: string;
  /** Resolves when all is well; the error's message is shown to operators. */
  check(): Promise<void>;
}

/** What every indicator said. */
export interface HealthReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** An indicator that has not answered by then counts as failed. */
const CHECK_MILLISECONDS = 2_000;

/** Everything that has to be well for a server to be sent requests. Contexts register their indicators when they start. */
export class HealthIndicators {
  private readonly indicators: HealthIndicator[] = [];

  register(indicator: HealthIndicator): void {
    this.indicators.push(indicator);
  }

  /** Asks all of them at once; never rejects. */
  async report(): Promise<HealthReport> {
    const results = await Promise.all(
      this.indicators.map(async (indicator) => [indicator.name, await outcomeOf(indicator)] as const),
    );
    return { ready: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) };
  }
}

async function outcomeOf(indicator: HealthIndicator): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_MILLISECONDS, `no answer in ${CHECK_MILLISECONDS} ms`);
  });
  try {
    return await Promise.race([indicator.check().then(() => 'ok'), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
