import type { ApiClient } from '../../support/api-client.js';
import { TestServer, type ServerOptions } from '../../support/server.js';
import { TestBrowser, type ConsoleWindow, type Look } from './test-browser.js';

/** A server, and a browser that opens its console. */
export class TestConsole {
  private readonly windows: ConsoleWindow[] = [];

  private constructor(
    readonly server: TestServer,
    readonly owner: ApiClient,
    private readonly browser: TestBrowser,
  ) {}

  static async start(options?: ServerOptions): Promise<TestConsole> {
    const [server, browser] = await Promise.all([TestServer.start(options), TestBrowser.launch()]);
    return new TestConsole(server, await server.owner(), browser);
  }

  /**
   * Opens a page, as the owner unless the look says as whom.
   *
   * @param path below `/console`, such as `/overview`
   */
  async open(path: string, look: Partial<Omit<Look, 'site'>> = {}): Promise<ConsoleWindow> {
    const { site } = this.server;
    const window = await this.browser.open({ site, credentials: this.owner.credentials, ...look });
    this.windows.push(window);
    await window.goTo(path);
    return window;
  }

  /** Makes an account that may audit, as all owners may. */
  async createAuditor(name: string): Promise<ApiClient> {
    const { id, client } = await this.server.createUser(this.owner, name);
    const auditors = { direct_members: [id], direct_subgroups: [OWNERS] };
    await this.owner.must('patch', 'realm', { can_audit_group: { new: auditors, old: OWNERS } });
    return client;
  }

  /** Closes what a test opened. */
  async closeWindows(): Promise<void> {
    for (const window of this.windows.splice(0)) await window.close();
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
  }
}

/** The group of all owners. */
const OWNERS = 7;
