import type { OpenAPIObject } from '@nestjs/swagger';

interface Operation {
  parameters?: readonly { readonly name: string; readonly in: string }[];
}

/**
 * Renames the wildcard at the end of a path to the name that its endpoint uses (see `PathRemainder`): Nest's
 * OpenAPI module calls it `path` and lists the wildcard as a separate parameter.
 */
export function nameWildcards(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.values(item as Record<string, Operation>);
    const name = operations.map(remainderName).find((found) => found !== null);
    if (name == null) return [path, item] as const;
    for (const operation of operations) {
      operation.parameters = operation.parameters?.filter((parameter) => parameter.name !== '*') ?? [];
    }
    return [path.replace(/\{path\}$/, `{${name}}`), item] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function remainderName({ parameters = [] }: Operation): string | null {
  if (!parameters.some(({ name }) => name === '*')) return null;
  return parameters.findLast((parameter) => parameter.in === 'path' && parameter.name !== '*')?.name ?? null;
}
