import { parseAst } from 'vitest/node';

/** A source file with one rule broken. */
export interface Mutant {
  line: number;
  /** The original text, and its replacement. */
  change: string;
  source: string;
}

interface Edit {
  start: number;
  end: number;
  to: string;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** How SQL is broken: a condition is dropped or inverted, a lock is not taken, an order or a limit is lost. */
const IN_SQL: readonly [RegExp, (found: string) => string][] = [
  [
    /\band (?:[\w.]+|\([^()]*\))(?: ?(?:=|<>|<=|>=|<|>) ?| (?:is|in) )(?:not )?(?:'[^']*'|[\w.$]+(?:\([^()]*\))?)/g,
    () => '',
  ],
  [/\bnot exists\b/g, () => 'exists'],
  [/(?<!not )\bexists\b(?= ?\()/g, () => 'not exists'],
  [/\bis not null\b/g, () => 'is null'],
  [/\bis null\b/g, () => 'is not null'],
  [
    /<=|>=|<>|(?<=[ \w)])(?:<|>)(?= )/g,
    found => ({ '<=': '<', '>=': '>', '<>': '=', '<': '<=', '>': '>=' })[found]!,
  ],
  [/(?<=[\w.] )= 'A'/g, () => `<> 'A'`],
  [/\bfor (?:no key )?(?:update|share|key share)(?: of \w+)?/g, () => ''],
  [/\bdistinct\b(?! on)/g, () => ''],
  [/\bdesc\b/g, () => 'asc'],
  [/\bmax\(/g, () => 'min('],
  [/\bleft join\b/g, () => 'join'],
  [/\border by [^;)`]*?(?=\n|$| limit| for )/g, () => ''],
];

const SQL = /\b(select|insert into|update|delete from|with) [\s\S]*\b(from|values|set|as|exists)\b/i;

/** All mutants of a source file. Each breaks one rule. */
export function mutantsOf(source: string): Mutant[] {
  const edits: Edit[] = [];
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, source, edits);
  return edits.map(({ start, end, to }) => ({
    line: source.slice(0, start).split('\n').length,
    change: `${oneLine(source.slice(start, end))}  →  ${oneLine(to) || '(nothing)'}`,
    source: source.slice(0, start) + to + source.slice(end),
  }));
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
};

function visit(node: Node, source: string, edits: Edit[]): void {
  if (node.type.startsWith('TS') && !node['expression']) return;
  if (node.type === 'ImportDeclaration' || node.type === 'Decorator') return;
  edits.push(...editsOf(node, source));
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof (child as Node | null)?.type === 'string') visit(child as Node, source, edits);
}

function editsOf(node: Node, source: string): Edit[] {
  const { start, end } = node;
  const text = source.slice(start, end);
  const child = (name: string): Node => node[name] as Node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const to = OPERATORS[node['operator'] as string];
      const at = source.indexOf(node['operator'] as string, child('left').end);
      return to ? [{ start: at, end: at + (node['operator'] as string).length, to }] : [];
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = child('test');
      return [{ ...test, to: `!(${source.slice(test.start, test.end)})` }];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [{ start, end: start + 1, to: '' }] : [];
    case 'ExpressionStatement':
      return text.startsWith('super(') ? [] : [{ start, end, to: ';' }];
    case 'ThrowStatement':
      return [{ start, end, to: ';' }];
    case 'Literal':
      return literal(node, source);
    case 'TemplateElement':
      return inSql(start, text, source);
    default:
      return [];
  }
}

function literal({ start, end, value }: Node, source: string): Edit[] {
  if (typeof value === 'boolean') return [{ start, end, to: String(!value) }];
  if (typeof value === 'number') return [{ start, end, to: String(value + 1) }];
  return typeof value === 'string' ? inSql(start, source.slice(start, end), source) : [];
}

/** A piece of a template counts as SQL if it looks like SQL, or if the constant around it does. */
function inSql(start: number, text: string, source: string): Edit[] {
  const opened = source.lastIndexOf('`', start);
  if (!SQL.test(source.slice(opened, start + text.length)) && !SQL.test(text)) return [];
  return IN_SQL.flatMap(([pattern, to]) =>
    [...text.matchAll(pattern)].map(found => ({
      start: start + found.index,
      end: start + found.index + found[0].length,
      to: to(found[0]),
    })),
  );
}
