/** Examples for bodies whose schemas give none, made from the schemas themselves. */

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minLength?: number;
  minItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  additionalProperties?: boolean | JsonSchema;
  readOnly?: boolean;
}

const FORMATS: Record<string, unknown> = {
  uuid: '01980c6e-2f4b-7c1a-9d3e-5b8f0a1c2d3e',
  'date-time': '2026-09-01T12:00:00.000Z',
  date: '2026-09-01',
  email: 'jordan@example.org',
  uri: 'https://example.org/',
};

/** Examples by field name, where the name says more than the type. */
const NAMES: [RegExp, unknown][] = [
  [/_cents$/, 10_000],
  [/^currency$/, 'usd'],
  [/^first_name$/, 'Jordan'],
  [/^last_name$/, 'Rivera'],
  [/_?email$/, FORMATS['email']],
  [/^name$/, 'Alpha'],
  [/^slug$/, 'alpha'],
  [/^next$/, 'https://api.example.org/api/things/?page=3'],
  [/^previous$/, 'https://api.example.org/api/things/?page=1'],
];

const MAX_DEPTH = 12;

/**
 * Makes an example for a schema.
 * @param schemas the document's named schemas
 * @returns a value that is valid, as far as the schema describes it
 */
export function exampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema>, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  const inner = (next: JsonSchema): unknown => exampleOf(next, schemas, depth + 1);
  const ownExample = declaredExample(schema);
  if (ownExample !== undefined) return ownExample;
  if (schema.$ref) return inner(schemas[schema.$ref.split('/').at(-1) as string] ?? {});
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return inner(choices.find(({ type }) => type !== 'null') ?? {});
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(inner));
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, next]) => [name, byName(name, next) ?? inner(next)]),
      );
    case 'array':
      return schema.items ? [inner(schema.items)] : [];
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'boolean':
      return false;
    case 'string':
      return FORMATS[schema.format ?? ''] ?? textFor(schema);
    default:
      return {};
  }
}

/** Returns an example that the name of a field suggests; undefined if the type of the field does not allow it. */
function byName(name: string, schema: JsonSchema): unknown {
  if (declaredExample(schema) !== undefined) return undefined;
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  const suggested = NAMES.find(([pattern]) => pattern.test(name))?.[1];
  return types.includes(typeof suggested === 'number' ? 'integer' : typeof suggested) ? suggested : undefined;
}

function declaredExample({
  example,
  examples,
  const: constant,
  default: byDefault,
  enum: values,
}: JsonSchema): unknown {
  return example ?? examples?.[0] ?? constant ?? byDefault ?? values?.[0];
}

const TEXTS = ['text', 'example-value-0001', 'ALPHA', 'AL', '2027', '1', '0123456789abcdef'.repeat(4)];

/** Returns one of the sample texts that fits the pattern; if none fits, any text of the minimum length. */
function textFor({ pattern, minLength = 0 }: JsonSchema): string {
  const fits = TEXTS.find((text) => text.length >= minLength && (!pattern || new RegExp(pattern, 'u').test(text)));
  return fits ?? 'text'.padEnd(minLength, 'x');
}

function numberFor({ minimum, exclusiveMinimum, maximum }: JsonSchema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  return Math.min(Math.max(least, 1), maximum ?? Infinity);
}
