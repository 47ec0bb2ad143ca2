import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import PostalMime, { type Email } from 'postal-mime';

/** A mail as received by the server. */
export interface ReceivedMail {
  readonly recipients: readonly string[];
  readonly email: Email;
}

/** A local mail server that accepts everything unless configured otherwise. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** SMTP codes with which recipients are refused, by address. */
  readonly refusals = new Map<string, number>();

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /**
   * @param port 0: any free one
   * @param maxClients how many connections it accepts at once
   */
  static async start(port = 0, maxClients = Infinity): Promise<MailServer> {
    const server = new SMTPServer({
      maxClients,
      disabledCommands: ['STARTTLS'],
      // Closes at once, although clients keep their connections open.
      closeTimeout: 50,
      authOptional: true,
      onRcptTo: ({ address }, _session, done) => {
        const code = mailServer.refusals.get(address);
        done(code === undefined ? null : Object.assign(new Error('Not here'), { responseCode: code }));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          void PostalMime.parse(Buffer.concat(chunks)).then((email) => {
            mailServer.received.push({ recipients: envelope.rcptTo.map(({ address }) => address), email });
            done();
          });
        });
      },
    });
    const listening = server.listen(port, '127.0.0.1');
    await new Promise((resolve) => listening.once('listening', resolve));
    const mailServer = new MailServer(server, (listening.address() as AddressInfo).port);
    return mailServer;
  }

  /** The mails to an address, oldest first. */
  mailTo(address: string): readonly Email[] {
    return this.received.filter(({ recipients }) => recipients.includes(address)).map(({ email }) => email);
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
