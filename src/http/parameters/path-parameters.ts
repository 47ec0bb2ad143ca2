import { type PipeTransform, Param } from '@nestjs/common';
import type { ApiParamOptions } from '@nestjs/swagger';
import { ApiParam } from '../documentation.decorators.js';
import { failure } from '../../kernel/errors.js';
import { type IdentifierName, isIdentifier } from '../path-pattern.js';

/** Converts a path segment to an id; a path with anything else there has no endpoint (see `fitsPattern`). */
class IdentifierPipe implements PipeTransform<string, number> {
  transform(segment: string): number {
    return Number(segment);
  }
}

/** Refuses characters that no name may contain. */
class NamePipe implements PipeTransform<string, string> {
  transform(segment: string): string {
    if (!segment.includes('\0') && segment.isWellFormed()) return segment;
    throw failure('notFound');
  }
}

const identifier = new IdentifierPipe();
const name = new NamePipe();

/** Injects an integer from the path: `@PathIdentifier('message_id') messageId: number`. */
export const PathIdentifier =
  (segment: IdentifierName): ParameterDecorator =>
  (target, property, index) => {
    Param(segment, identifier)(target, property, index);
    describe({ name: segment, type: 'integer' }, target, property!);
  };

/** Injects decoded text from the path: `@PathName('email') email: string`. */
export const PathName = (segment: string): ParameterDecorator => Param(segment, name);

/** Interprets a segment that may be an id or a name: digits are an id, anything else is a name. */
export function identifierOrName(segment: string): number | string {
  return isIdentifier(segment) ? Number(segment) : segment;
}

/**
 * Injects the rest of the path, with slashes and decoded, for a route that ends in a wildcard: `@Patch('*')`.
 */
export const PathRemainder =
  (wildcard: string): ParameterDecorator =>
  (target, property, index) => {
    Param('*', name)(target, property, index);
    describe({ name: wildcard, type: String }, target, property!);
  };

function describe(parameter: ApiParamOptions, target: object, property: string | symbol): void {
  ApiParam(parameter)(target, property, Object.getOwnPropertyDescriptor(target, property)!);
}
