import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { OperationSummary } from '../../src/http/server/operations-in-document.js';

/** Finds the summary of every operation: the comment above each endpoint's method, by controller and method. */
export function operationSummaries(): Readonly<Record<string, OperationSummary>> {
  return Object.fromEntries(
    readdirSync('src', { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.controller.ts'))
      .sort()
      .flatMap((file) => [...summariesIn(readFileSync(join('src', file), 'utf8'))]),
  );
}

/**
 * The summaries of the operations of one source file, by controller and method.
 *
 * @param source TypeScript
 */
export function summariesIn(source: string): ReadonlyMap<string, OperationSummary> {
  const { statements } = ts.createSourceFile('controller.ts', source, ts.ScriptTarget.Latest, true);
  return new Map(
    statements.filter(ts.isClassDeclaration).flatMap((controller) =>
      controller.members.filter(isEndpoint).flatMap((method) => {
        const summary = summaryOf(method);
        return summary === null
          ? []
          : [[`${controller.name?.text}_${method.name.getText()}`, summary] as const];
      }),
    ),
  );
}

/** Of the members of a controller, endpoints alone have decorators. */
function isEndpoint(member: ts.ClassElement): member is ts.MethodDeclaration {
  return ts.isMethodDeclaration(member) && (ts.getDecorators(member) ?? []).length > 0;
}

/** The method's comment up to its first tag, the first sentence apart; null: it has none. */
function summaryOf(method: ts.MethodDeclaration): OperationSummary | null {
  const [comment] = ts.getJSDocCommentsAndTags(method).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comment?.comment)?.replaceAll(/\{@link (\w+)\}/g, '$1');
  if (text === undefined) return null;
  const [, summary = text, description = ''] = /^([^]*?)\.(?:\s+([^]*))?$/.exec(text) ?? [];
  return { summary: summary.replaceAll(/\s+/g, ' '), description };
}
