import ts from 'typescript';

/** The rows of the error table that may be replies to requests. */
export interface FoundErrors {
  /** To any request. */
  readonly everywhere: readonly string[];
  /** To any request that needs credentials. */
  readonly authenticated: readonly string[];
  /** To each endpoint, besides these, by controller and method: `MessagesController_send`. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
}

/** A function, a method, or the constructor of a class. */
type Code = ts.Node;

/**
 * Finds which errors each endpoint can return, from the source: every `failure('row')` that its method reaches, through calls, handlers of
 * the commands and queries that it creates, and implementations of interfaces that it calls. The result may include errors that conditions
 * rule out.
 */
export class ErrorFinder {
  private readonly program: ts.Program;
  private readonly checker: ts.TypeChecker;
  /** The methods that handle commands and queries, by the class of the command or query. */
  private readonly handlers = new Map<ts.Symbol, Code[]>();
  /** Methods by the abstract or interface method that they implement. */
  private readonly implementations = new Map<ts.Declaration, Code[]>();
  private readonly own = new Map<
    Code,
    { readonly rows: ReadonlySet<string>; readonly next: ReadonlySet<Code> }
  >();

  constructor(configuration: string) {
    const { config } = ts.readConfigFile(configuration, ts.sys.readFile) as { readonly config: unknown };
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
    this.program = ts.createProgram({ rootNames: fileNames, options: { ...options, incremental: false } });
    this.checker = this.program.getTypeChecker();
    for (const declaration of this.classes()) this.noteClass(declaration);
  }

  /** Examines every endpoint of every controller. */
  find(): FoundErrors {
    const everywhere = this.reachableFrom(BEFORE_ENDPOINTS);
    const authenticated = without(this.reachableFrom(GUARDS), [...everywhere]);
    const operations: Record<string, readonly string[]> = {};
    for (const declaration of this.classes()) {
      for (const method of endpointsOf(declaration)) {
        const name = `${declaration.name?.text}_${method.name.getText()}`;
        operations[name] = sorted(without(this.reachable([method]), [...everywhere, ...authenticated]));
      }
    }
    return { everywhere: sorted(everywhere), authenticated: sorted(authenticated), operations };
  }

  /** @param names of functions, and of classes with all their members */
  private reachableFrom(names: readonly string[]): Set<string> {
    const found = this.statements().filter(
      (statement) =>
        (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) &&
        names.includes(statement.name?.text ?? ''),
    );
    if (found.length !== names.length) throw new Error(`There is not one of each of ${names.join(', ')}`);
    return this.reachable(found);
  }

  private statements(): readonly ts.Statement[] {
    return this.program
      .getSourceFiles()
      .filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'))
      .flatMap((file) => [...file.statements]);
  }

  private classes(): readonly ts.ClassDeclaration[] {
    return this.statements().filter(ts.isClassDeclaration);
  }

  private noteClass(declaration: ts.ClassDeclaration): void {
    for (const decorator of ts.getDecorators(declaration) ?? []) this.noteHandler(declaration, decorator);
    for (const { types } of declaration.heritageClauses ?? []) {
      for (const type of types) this.noteImplementations(declaration, this.checker.getTypeAtLocation(type));
    }
  }

  private noteHandler(declaration: ts.ClassDeclaration, { expression }: ts.Decorator): void {
    if (!ts.isCallExpression(expression)) return;
    if (!['CommandHandler', 'QueryHandler'].includes(expression.expression.getText())) return;
    const execute = declaration.members.find((member) => member.name?.getText() === 'execute');
    for (const argument of expression.arguments) {
      const command = this.symbolAt(argument);
      if (command !== undefined && execute !== undefined) add(this.handlers, command, execute);
    }
  }

  private noteImplementations(declaration: ts.ClassDeclaration, type: ts.Type): void {
    for (const member of declaration.members) {
      if (!ts.isMethodDeclaration(member) && !ts.isPropertyDeclaration(member)) continue;
      const implemented = type.getProperty(member.name.getText());
      for (const one of implemented?.declarations ?? [])
        if (one !== member) add(this.implementations, one, member);
    }
  }

  private reachable(starts: readonly Code[]): Set<string> {
    const rows = new Set<string>();
    const seen = new Set(starts);
    for (const code of seen) {
      const { rows: own, next } = this.look(code);
      for (const row of own) rows.add(row);
      for (const one of next) seen.add(one);
    }
    return rows;
  }

  private look(code: Code) {
    let known = this.own.get(code);
    if (known === undefined) {
      const rows = new Set<string>();
      const next = new Set<Code>();
      const visit = (node: ts.Node): void => {
        if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
        if (ts.isCallExpression(node)) for (const row of this.rowsOf(node)) rows.add(row);
        if (ts.isIdentifier(node)) for (const one of this.codeBehind(node)) next.add(one);
        ts.forEachChild(node, visit);
      };
      visit(code);
      known = { rows, next };
      this.own.set(code, known);
    }
    return known;
  }

  private rowsOf({ expression, arguments: given }: ts.CallExpression): readonly string[] {
    const [name] = given;
    const isFailure = ts.isIdentifier(expression) && expression.text === 'failure';
    // An error with additional members has a class of its own.
    const isError = expression.kind === ts.SyntaxKind.SuperKeyword && this.isApplicationError(expression);
    if (name === undefined || (!isFailure && !isError)) return [];
    const type = this.checker.getTypeAtLocation(name);
    const types = type.isUnion() ? type.types : [type];
    return types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
  }

  private isApplicationError(superclass: ts.Node): boolean {
    return this.checker.getTypeAtLocation(superclass).symbol?.name === 'ApplicationError';
  }

  private codeBehind(node: ts.Identifier): readonly Code[] {
    const symbol = this.symbolAt(node);
    if (symbol === undefined) return [];
    const made =
      node.parent !== undefined && ts.isNewExpression(node.parent) && node.parent.expression === node;
    return [
      ...(made ? (this.handlers.get(symbol) ?? []) : []),
      ...(symbol.declarations ?? []).flatMap((declaration) => [
        ...(this.implementations.get(declaration) ?? []),
        ...this.codeOf(declaration, made),
      ]),
    ];
  }

  private codeOf(declaration: ts.Declaration, isMade: boolean): readonly Code[] {
    if (declaration.getSourceFile().isDeclarationFile) return [];
    if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) return [declaration];
    if (ts.isGetAccessorDeclaration(declaration)) return [declaration];
    if (ts.isVariableDeclaration(declaration)) {
      const isGlobal = ts.isSourceFile(declaration.parent.parent.parent);
      return isGlobal && declaration.initializer !== undefined ? [declaration.initializer] : [];
    }
    if (ts.isPropertyAssignment(declaration)) return [declaration.initializer];
    if (ts.isPropertyDeclaration(declaration))
      return declaration.initializer ? [declaration.initializer] : [];
    if (!isMade || !ts.isClassDeclaration(declaration)) return [];
    return declaration.members.filter((member) => ts.isConstructorDeclaration(member));
  }

  private symbolAt(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    if (symbol === undefined) return undefined;
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** Functions that handle every request before or after its endpoint. */
const BEFORE_ENDPOINTS = [
  'ErrorFilter',
  'RateLimitGuard',
  'UnexpectedFileGuard',
  'registerBodies',
  'registerMethodOverride',
  'registerPathCheck',
  'registerRequestHooks',
];

/** Functions that check the credentials of requests. */
const GUARDS = ['BasicAuthGuard', 'IncomingWebhookGuard'];

const verbs = ['Get', 'Head', 'Options', 'Post', 'Patch', 'Put', 'Delete'];

function endpointsOf(declaration: ts.ClassDeclaration): readonly ts.MethodDeclaration[] {
  return declaration.members
    .filter(ts.isMethodDeclaration)
    .filter((method) =>
      (ts.getDecorators(method) ?? []).some(
        ({ expression }) =>
          ts.isCallExpression(expression) && verbs.includes(expression.expression.getText()),
      ),
    );
}

function add<Key>(map: Map<Key, Code[]>, key: Key, code: Code): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [code]);
  else known.push(code);
}

function sorted(rows: ReadonlySet<string>): readonly string[] {
  return [...rows].sort();
}

function without(rows: ReadonlySet<string>, others: readonly string[]): ReadonlySet<string> {
  return new Set([...rows].filter((row) => !others.includes(row)));
}
