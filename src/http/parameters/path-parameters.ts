import { type PipeTransform, Param } from '@nestjs/common';
import { ApiParam } from '../documentation.decorators.js';
import { failure } from '../../kernel/errors.js';

const identifierPattern = /^\d{1,15}$/;

/**
 * Whether the segments of a path are such as its parameters take: ids are whole numbers, and `me` is nobody’s address. Where they
 * are not, another endpoint has the path, or none.
 */
export function fitsPath(parameters: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(parameters).every(([name, segment = '']) => {
    if (name.endsWith('_id')) return identifierPattern.test(segment);
    return !(name.endsWith('_or_email') && segment === 'me');
  });
}

/** Turns a segment of a path into an id; what is no id belongs to no resource, so the path is unknown. */
class IdentifierPipe implements PipeTransform<string, number> {
  transform(segment: string): number {
    if (identifierPattern.test(segment)) return Number(segment);
    throw failure('notFound');
  }
}

/** Refuses what no name can hold. */
class NamePipe implements PipeTransform<string, string> {
  transform(segment: string): string {
    if (!segment.includes('\0') && segment.isWellFormed()) return segment;
    throw failure('notFound');
  }
}

const identifier = new IdentifierPipe();
const name = new NamePipe();

/** Injects a whole number from the path: `@PathIdentifier('message_id') messageId: number`. */
export const PathIdentifier = (segment: string): ParameterDecorator => Param(segment, identifier);

/** Injects text from the path, decoded: `@PathName('email') email: string`. */
export const PathName = (segment: string): ParameterDecorator => Param(segment, name);

/** What a segment of a path names that takes either: digits are an id, anything else is a name. */
export function identifierOrName(segment: string): number | string {
  return identifierPattern.test(segment) ? Number(segment) : segment;
}

/** Injects the rest of the path, slashes included and decoded, of a route that ends in a wildcard: `@Patch('*')`. */
export const PathRemainder =
  (wildcard: string): ParameterDecorator =>
  (target, property, index) => {
    Param('*', name)(target, property, index);
    ApiParam({ name: wildcard, type: String })(
      target,
      property!,
      Object.getOwnPropertyDescriptor(target, property!)!,
    );
  };
