import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Where Debian and its relatives put it. */
export const chromiumFile = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) =>
  existsSync(file),
);

/** Opens nothing but what a test asks for. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How a window is looked at. */
export interface Look {
  /** Of the server, without a path. */
  readonly site: string;
  /** Who looks; null: somebody who has yet to sign in. */
  readonly credentials: { readonly email: string; readonly key: string } | null;
  /** Absent: a desk's. */
  readonly width?: 'phone' | 'desk';
  readonly scheme?: 'light' | 'dark';
  /** Pixels of the screen for each of the page; absent: 1. */
  readonly scale?: number;
}

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const;

/** A browser for a suite. */
export class TestBrowser {
  private constructor(private readonly browser: Browser) {}

  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(
      await chromium.launch({ executablePath: chromiumFile ?? 'chromium', headless: true, args: quiet }),
    );
  }

  /** Opens a window of nobody else's. What goes wrong in it is in {@link ConsoleWindow.faults}. */
  async open(look: Look): Promise<ConsoleWindow> {
    const { credentials, width = 'desk', scheme = 'light', scale = 1 } = look;
    const context = await this.browser.newContext({
      viewport: sizes[width],
      deviceScaleFactor: scale,
      colorScheme: scheme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      acceptDownloads: true,
    });
    if (credentials !== null) {
      const stored = JSON.stringify(JSON.stringify(credentials));
      await context.addInitScript(`sessionStorage.setItem('palimpsest-session', ${stored})`);
    }
    return new ConsoleWindow(context, await context.newPage(), look.site);
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** A window of the console. */
export class ConsoleWindow {
  /** Errors of scripts, of the content security policy and of what could not be loaded. */
  readonly faults: string[] = [];

  constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly site: string,
  ) {
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.faults.push(message.text());
    });
  }

  /** @param path below `/console`, such as `/overview` */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.site}/console${path}`);
  }

  /** Waits for the heading of a page. */
  async heading(title: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** What axe finds wrong with what is shown: the rule, and where. */
  async barriers(): Promise<readonly string[]> {
    // Colours that are still changing are judged as they will be.
    await this.page.evaluate(
      'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)',
    );
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
  }

  /** Whether the page can be pushed sideways: on a phone that is a fault. */
  scrollsSideways(): Promise<boolean> {
    return this.page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
