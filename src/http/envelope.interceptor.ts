import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { type RawEnvelope, type SuccessFields, successBody } from './envelope.js';
import { ignoredParameters } from './sent-parameters.js';

/** What a controller's method may answer: fields of a success, the same as text, nothing more than a success, a file. */
export type Answer = SuccessFields | RawEnvelope | StreamableFile | undefined;

/** Puts what a controller returns into the envelope of a success and names the parameters that were ignored. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<Answer, string | StreamableFile> {
  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<string | StreamableFile> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((answer) => {
        if (answer instanceof StreamableFile) return answer;
        http.getResponse<FastifyReply>().header('content-type', 'application/json; charset=utf-8');
        return successBody(answer, ignoredParameters(http.getRequest<FastifyRequest>()));
      }),
    );
  }
}
