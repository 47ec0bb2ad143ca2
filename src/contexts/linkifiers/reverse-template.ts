const token = /\{\{|\}\}|\{(\w+)\}|[^{}]+/gy;

/** The names that a reverse template holds (specification, "Linkifier"); null where it is none. */
export function reverseTemplateVariables(template: string): readonly string[] | null {
  const tokens = [...template.matchAll(token)];
  const length = tokens.reduce((sum, [text]) => sum + text.length, 0);
  return length === template.length ? tokens.flatMap(([, variable]) => variable ?? []) : null;
}

/** Puts texts in place of a reverse template's variables, and braces in place of doubled ones. */
export function expandReverseTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(token, (text: string, variable: string | undefined) => {
    if (variable !== undefined) return variables[variable] ?? '';
    return text === '{{' || text === '}}' ? text.charAt(0) : text;
  });
}
