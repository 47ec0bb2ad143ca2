import { Controller, Delete, Get, Module, Patch, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { Draining } from '../../../src/http/monitoring/health.js';
import { SeparateRateLimit } from '../../../src/http/limits/rate-limit.guard.js';
import { LoginAttempts } from '../../../src/http/limits/login-attempts.js';
import { CurrentCaller, Public } from '../../../src/http/authentication/authentication.decorators.js';
import { Authenticator, type Caller } from '../../../src/http/caller.js';
import type { SuccessFields } from '../../../src/http/envelope.js';
import { RawJson } from '../../../src/kernel/json.js';
import {
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
  JsonParameter,
  TextParameter,
} from '../../../src/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../src/http/parameters/parameters.decorator.js';
import { appendsNothing } from '../../../src/http/server/availability.js';
import { PathIdentifier, PathName } from '../../../src/http/parameters/path-parameters.js';
import { failure } from '../../../src/kernel/errors.js';
import { EventStoreUnavailableError } from '../../../src/stores/event-store/port.js';
import { standIn } from '../../support/stand-in.js';

/** A key that the toy authenticator knows, and the address that goes with it. */
export const KEY = 'abcdefghijklmnopqrstuvwxyz012345';
export const EMAIL = 'ada@example.com';

class ToyAuthenticator extends Authenticator {
  override authenticate(email: string, apiKey: string): Promise<number> {
    const person = /^person-(\d+)@/.exec(email);
    const userId = person === null ? 7 : Number(person[1]);
    const isKnown = apiKey === KEY && (person !== null || email.toLowerCase() === EMAIL);
    if (isKnown) return Promise.resolve(userId);
    return Promise.reject(failure('invalidApiKey'));
  }
}

export class Thing {
  @IsString() name!: string;
  @IsInt() @Max(9) size!: number;
}

class LoginParameters {
  @TextParameter({ required: true }) username!: string;
  @TextParameter({ required: true }) password!: string;
}

export class ThingParameters {
  @TextParameter({ required: true, description: 'What the thing says' }) @MaxLength(60) content!: string;
  @TextParameter({ alias: 'subject' }) topic?: string;
  @IntegerParameter() count = 3;
  @BooleanParameter() loud?: boolean;
  @JsonParameter() @IsArray() @ArrayMaxSize(3) @IsInt({ each: true }) ids?: number[];
  @IntegerParameter({ nullable: true, values: [1, 2] }) @IsIn([1, 2]) color?: number | null;
  @JsonParameter({ type: () => Thing }) @IsArray() @ValidateNested({ each: true }) things?: Thing[];
  @JsonParameter({
    schema: z.array(z.union([z.number(), z.object({ operator: z.string(), operand: z.any() })])),
  })
  narrow?: unknown[];
  @JsonOrTextParameter() to?: unknown;
}

/** What a request waits for that may take long: as a test says. */
export class LongWork {
  run: (caller: Caller) => Promise<unknown> = () => Promise.resolve();
}

/** Lets a test hold a request inside its endpoint. */
export class Gate {
  readonly entered = new EventEmitter();
  readonly released = new EventEmitter();
}

@Controller()
export class ToyController {
  constructor(
    private readonly draining: Draining,
    private readonly gate: Gate,
    private readonly logins: LoginAttempts,
    private readonly longWork: LongWork,
  ) {}

  @Get('held')
  async held(): Promise<SuccessFields> {
    const released = once(this.gate.released, 'now');
    this.gate.entered.emit('now');
    await released;
    return { finished: true };
  }

  @Get('poll')
  async poll(): Promise<SuccessFields> {
    const { signal } = this.draining;
    const stopping = signal.aborted ? undefined : once(standIn<EventTarget>(signal), 'abort');
    this.gate.entered.emit('now');
    await stopping;
    return { events: [] };
  }

  @Public()
  @Post('login')
  login(@Parameters(LoginParameters) { username, password }: LoginParameters): SuccessFields {
    this.logins.begin(username);
    if (password !== 'right') throw failure('authenticationFailed');
    this.logins.succeed(username);
    return { email: username };
  }

  @Get('things')
  list(@Parameters(ThingParameters) parameters: ThingParameters): SuccessFields {
    return { verb: 'GET', parameters };
  }

  @Post('things')
  create(@Parameters(ThingParameters) parameters: ThingParameters): SuccessFields {
    return { verb: 'POST', parameters };
  }

  @Post('things/order')
  order(): void {}

  @RouteConfig(appendsNothing)
  @Post('previews')
  preview(): void {}

  @Delete('previews')
  removePreviews(): void {}

  @Patch('things/:thing_id')
  edit(
    @PathIdentifier('thing_id') thingId: number,
    @Parameters(ThingParameters) parameters: ThingParameters,
  ): SuccessFields {
    return { verb: 'PATCH', thingId, parameters };
  }

  @Delete('things/:thing_id')
  remove(@PathIdentifier('thing_id') thingId: number): undefined {
    if (thingId === 404) throw failure('invalidMessage');
  }

  @Get('names/:name')
  named(@PathName('name') name: string): SuccessFields {
    return { name };
  }

  @SeparateRateLimit()
  @Get('heard')
  heard(@CurrentCaller() _caller: Caller): void {}

  @SeparateRateLimit('status')
  @Get('state')
  state(@CurrentCaller() _caller: Caller): void {}

  @Get('caller')
  caller(@CurrentCaller() caller: Caller): SuccessFields {
    return { caller };
  }

  @Get('raw')
  raw(): SuccessFields {
    return { messages: new RawJson('[{"id":1,"content":"ä"}]') };
  }

  @Get('raw/empty')
  emptyRaw(): RawJson {
    return new RawJson('{}');
  }

  @Get('broken')
  broken(): never {
    throw new Error('the secret of the house');
  }

  @Get('unavailable')
  unavailable(): never {
    throw new EventStoreUnavailableError('no route to 10.0.0.1', false);
  }

  @Get('long')
  async takeLong(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    await this.longWork.run(caller);
    return { done: true };
  }

  @Public()
  @Get('open')
  open(): SuccessFields {
    return { open: true };
  }

  @Post('files')
  @RouteConfig({ acceptsFiles: true })
  upload(): SuccessFields {
    return { unread: true };
  }
}

@Module({
  controllers: [ToyController],
  providers: [{ provide: Authenticator, useClass: ToyAuthenticator }, Gate, LongWork],
})
export class ToyModule {}
