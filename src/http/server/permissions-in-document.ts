import type { OpenAPIObject } from '@nestjs/swagger';
import type { PermissionRow } from '../../access/permission-row.js';
import { permissionTable } from '../../access/permission-table.js';
import { operationsOf } from './operations-of.js';

const API_PREFIX = '/api/v1';

/** Adds to each operation of the document which permissions it needs, and what they depend on. */
export function describePermissions(document: OpenAPIObject): OpenAPIObject {
  for (const { path, method, operation } of operationsOf<{ description?: string }>(document)) {
    const name = `${method.toUpperCase()} ${path.replace(API_PREFIX, '')}`;
    const permissions = Object.values<PermissionRow>(permissionTable).filter(({ operations }) =>
      operations.some((one) => one === name),
    );
    if (permissions.length === 0) continue;
    const lines = permissions.map(({ permits, basis }) => `- ${permits} (${basis.join(', ')})`);
    operation.description = [operation.description ?? '', 'Permissions that it asks:', ...lines]
      .join('\n')
      .trim();
  }
  return document;
}
