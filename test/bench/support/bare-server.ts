import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { parse } from 'node:querystring';
import { Body, Controller, Get, HttpCode, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

const PAGE = Symbol('page');

/**
 * The cost of the framework itself: one endpoint reads the form of a message and answers a small object, the other
 * answers messages that it holds in memory. There is no authentication, no validation and no store.
 */
@Controller('api/v1/messages')
class BareController {
  private lastId = 0;

  constructor(@Inject(PAGE) private readonly page: object) {}

  @Post()
  @HttpCode(200)
  send(@Body() _form: object): object {
    this.lastId += 1;
    return { result: 'success', msg: '', id: this.lastId };
  }

  @Get()
  list(): object {
    return this.page;
  }
}

@Module({})
class BareModule {}

/** The argument is a JSON file with the reply of the reading endpoint. */
async function main([file]: readonly string[]): Promise<void> {
  const page = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as object);
  const application = await NestFactory.create<NestFastifyApplication>(
    { module: BareModule, controllers: [BareController], providers: [{ provide: PAGE, useValue: page }] },
    new FastifyAdapter(),
    { logger: false, bodyParser: false },
  );
  const fastify = application.getHttpAdapter().getInstance();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parse(body as string)),
  );
  await application.listen(0, '127.0.0.1');
  process.stdout.write(`${JSON.stringify({ address: await application.getUrl() })}\n`);
  process.once('SIGTERM', () => process.exit(0));
}

await main(process.argv.slice(2));
