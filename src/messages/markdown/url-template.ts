interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Whether each value is preceded by its name. */
  readonly named: boolean;
  /** What follows a name whose value is empty. */
  readonly ifEmpty: string;
  /** Whether characters with a meaning in addresses stay as they are. */
  readonly reserved: boolean;
}

const simple: Operator = { first: '', separator: ',', named: false, ifEmpty: '', reserved: false };
const operators: Readonly<Record<string, Operator>> = {
  '+': { ...simple, reserved: true },
  '#': { ...simple, first: '#', reserved: true },
  '.': { ...simple, first: '.', separator: '.' },
  '/': { ...simple, first: '/', separator: '/' },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
};

/** Expands a URL template (RFC 6570, levels 1 to 3, and prefixes of level 4) with texts for its variables. */
export function expandUrlTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(/\{([+#./;?&])?([^{}]+)\}/g, (_, mark: string | undefined, list: string) => {
    const operator = (mark === undefined ? undefined : operators[mark]) ?? simple;
    const values = list.split(',').flatMap((specification) => expandOne(specification, operator, variables));
    return values.length === 0 ? '' : operator.first + values.join(operator.separator);
  });
}

function expandOne(
  specification: string,
  operator: Operator,
  variables: Readonly<Record<string, string>>,
): readonly string[] {
  const [name = '', prefix] = specification.replace(/\*$/, '').split(':');
  if (!Object.hasOwn(variables, name)) return [];
  const value = [...(variables[name] ?? '')]
    .slice(0, prefix === undefined ? undefined : Number(prefix))
    .join('');
  const encoded = encode(value, operator.reserved);
  if (!operator.named) return [encoded];
  return [encoded === '' ? name + operator.ifEmpty : `${name}=${encoded}`];
}

function encode(value: string, reserved: boolean): string {
  if (reserved) return encodeURI(value.toWellFormed()).replace(/%5[BD]/g, decodeURIComponent);
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
