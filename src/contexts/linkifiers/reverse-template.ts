const token = /\{\{|\}\}|\{(\w+)\}|[^{}]+/gy;

/** The variables of a reverse template; null if it is invalid. */
export function reverseTemplateVariables(template: string): readonly string[] | null {
  const tokens = [...template.matchAll(token)];
  const length = tokens.reduce((sum, [text]) => sum + text.length, 0);
  return length === template.length ? tokens.flatMap(([, variable]) => variable ?? []) : null;
}

/** Replaces the variables of a reverse template by texts, and doubled braces by single ones. */
export function expandReverseTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(token, (text: string, variable: string | undefined) => {
    if (variable !== undefined) return variables[variable] ?? '';
    return text === '{{' || text === '}}' ? text.charAt(0) : text;
  });
}
