import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AddressInfo } from 'node:net';
import type { SMTPServer, SMTPServerAddress, SMTPServerDataStream } from 'smtp-server';
import type { Logger } from '../../http/monitoring/logger.js';
import { isRefusal } from '../../kernel/errors.js';
import { ChannelAddresses, type ChannelAddress } from './channel-address.js';
import { PostMail } from './commands/post-mail.js';
import { MailParser, UnreadableMailError } from './mail-parser.js';

/** Maximum size of a mail in bytes; larger ones are refused while they are received. */
const MAX_MAIL = 5 * 1024 * 1024;
const MAX_CONNECTIONS = 20;
const MAX_RECIPIENTS = 10;

/** Milliseconds of silence after which a connection is closed. */
const TIMEOUT = 30_000;

/** Where to listen for mail. */
interface InboundMailOptions {
  readonly host: string;
  /** 0: a port chosen by the system. */
  readonly port: number;
}

/** Accepts mail for channels only; it is not a relay. */
@Injectable()
export class InboundMail {
  private server: SMTPServer | null = null;
  private readonly parser = new MailParser();

  constructor(
    private readonly commands: CommandBus,
    private readonly addresses: ChannelAddresses,
  ) {}

  /** @returns the port that it listens on */
  async listen({ host, port }: InboundMailOptions, logger: Pick<Logger, 'warn'>): Promise<number> {
    // Loaded lazily, because few servers accept mail.
    const { SMTPServer } = await import('smtp-server');
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      size: MAX_MAIL,
      maxClients: MAX_CONNECTIONS,
      socketTimeout: TIMEOUT,
      closeTimeout: 1_000,
      disableReverseLookup: true,
      onRcptTo: ({ address }, { envelope }, done) => {
        done(this.refusalOf(address, envelope.rcptTo.length));
      },
      onData: (stream, { envelope }, done) => {
        this.take(stream, envelope.rcptTo).then(
          () => done(),
          (error: unknown) => {
            logger.warn({ err: error }, 'A mail was refused');
            done(replyTo(error));
          },
        );
      },
    });
    server.on('error', (error) => logger.warn({ err: error }, 'A mail connection failed'));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(port, host, () => resolve());
    });
    return (server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  private refusalOf(address: string, recipients: number): Error | null {
    if (this.addresses.open(address) === null) return reply(550, 'No such address here');
    return recipients >= MAX_RECIPIENTS ? reply(452, 'Too many recipients') : null;
  }

  private async take(stream: SMTPServerDataStream, recipients: readonly SMTPServerAddress[]): Promise<void> {
    const mail = await this.parser.read(await read(stream));
    if (mail === null) return;
    const addresses = recipients.map(({ address }) => this.addresses.open(address));
    for (const address of distinct(addresses)) await this.commands.execute(new PostMail(address, mail));
  }
}

/** One message for each channel, however many of its addresses a mail names. */
function distinct(addresses: readonly (ChannelAddress | null)[]): Iterable<ChannelAddress> {
  const byChannel = new Map<number, ChannelAddress>();
  for (const address of addresses) if (address !== null) byChannel.set(address.channelId, address);
  return byChannel.values();
}

/** A mail that is too large is read to its end, so that the client gets the refusal, but not kept. */
async function read(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (!stream.sizeExceeded) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (stream.sizeExceeded) throw reply(552, 'The message is too large');
  return Buffer.concat(chunks);
}

/** An SMTP reply. */
interface SmtpReply extends Error {
  readonly responseCode: number;
}

function reply(responseCode: number, message: string): SmtpReply {
  return Object.assign(new Error(message), { responseCode });
}

/** Refusals are permanent errors; failures are temporary ones, which the sender retries. */
function replyTo(error: unknown): Error {
  if (error instanceof Error && 'responseCode' in error) return error;
  if (isRefusal(error) || error instanceof UnreadableMailError)
    return reply(554, 'The message was not accepted');
  return reply(451, 'The message cannot be taken now; try again');
}
