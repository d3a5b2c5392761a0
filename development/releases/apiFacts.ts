/** Reduces an OpenAPI document to the facts on which clients rely, so that two releases can be compared. */

/** A JSON Schema, as far as it is compared. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses?: Record<string, Content & { $ref?: string }>;
}

/** The parts of an OpenAPI document that are compared. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** Facts, each with the fact that contains it: an operation contains its fields. */
type Facts = Map<string, string | null>;

export interface ApiFacts {
  /** Operations, fields of answers, and accepted inputs, types and values. A client that uses them breaks when they go. */
  guaranteed: Facts;
  /** Required inputs, inputs that take listed values only, and types of answers. A client breaks when there are more. */
  demanded: Facts;
}

type Direction = 'input' | 'answer';

/** Returns the facts of all operations of a document. */
export function readApiFacts({ paths, components }: ApiDescription): ApiFacts {
  const reader = new FactReader(components?.schemas ?? {});
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item))
      reader.readOperation(`${method.toUpperCase()} ${path}`, operation);
  return reader.facts;
}

class FactReader {
  facts: ApiFacts = { guaranteed: new Map(), demanded: new Map() };

  constructor(private readonly schemas: Record<string, Schema>) {}

  readOperation(name: string, { parameters = [], requestBody, responses = {} }: Operation): void {
    this.facts.guaranteed.set(name, null);
    for (const parameter of parameters) {
      const field = `${name} ${parameter.in}.${parameter.name}`;
      this.facts.guaranteed.set(field, name);
      if (parameter.required) this.facts.demanded.set(`${field} is required`, name);
      if (parameter.schema) this.readSchema(field, parameter.schema, 'input');
    }
    if (requestBody?.required) this.facts.demanded.set(`${name} body is required`, name);
    this.readContent(name, 'body', requestBody, 'input');
    for (const [status, response] of Object.entries(responses).filter(([code]) => /^[123]/.test(code))) {
      this.facts.guaranteed.set(`${name} ${status}`, name);
      this.readContent(`${name} ${status}`, 'answer', response, 'answer');
    }
  }

  private readContent(within: string, name: string, from: Content | undefined, direction: Direction): void {
    for (const [type, { schema }] of Object.entries(from?.content ?? {})) {
      const at = `${within} ${name} (${type})`;
      this.facts.guaranteed.set(at, within);
      if (schema) this.readSchema(at, schema, direction);
    }
  }

  /** @param within names of the schemas around this one, which may refer to themselves */
  private readSchema(at: string, schema: Schema, direction: Direction, within: readonly string[] = []): void {
    const { guaranteed, demanded } = this.facts;
    const reference = schema.$ref?.split('/').at(-1);
    if (reference !== undefined) {
      const target = this.schemas[reference];
      if (!target) throw new Error(`The document has no schema ${reference}.`);
      if (!within.includes(reference)) this.readSchema(at, target, direction, [...within, reference]);
      return;
    }
    for (const part of schema.allOf ?? []) this.readSchema(at, part, direction, within);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) this.readAlternatives(at, alternatives, direction, within);
    for (const type of [schema.type ?? []].flat())
      (direction === 'input' ? guaranteed : demanded).set(`${at} may be ${type}`, at);
    if (direction === 'input') this.readValues(at, schema);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      guaranteed.set(`${at}.${name}`, at);
      this.readSchema(`${at}.${name}`, property, direction, within);
    }
    if (direction === 'input') for (const name of schema.required ?? []) demanded.set(`${at}.${name} is required`, at);
    const inner = [...(schema.prefixItems ?? []), ...(schema.items ? [schema.items] : [])];
    for (const item of inner) this.readSchema(`${at}[]`, item, direction, within);
    if (typeof schema.additionalProperties === 'object')
      this.readSchema(`${at}.*`, schema.additionalProperties, direction, within);
  }

  private readValues(at: string, { enum: listed, const: constant }: Schema): void {
    const values = listed ?? (constant === undefined ? undefined : [constant]);
    if (!values) return;
    for (const value of values) this.facts.guaranteed.set(`${at} may be ${JSON.stringify(value)}`, at);
    this.facts.demanded.set(onlyListed(at), at);
  }

  /** An input is demanded if every alternative except null demands it. */
  private readAlternatives(at: string, all: Schema[], direction: Direction, within: readonly string[]): void {
    const outer = this.facts;
    const read = all.map((schema) => {
      this.facts = { guaranteed: new Map(), demanded: new Map() };
      this.readSchema(at, schema, direction, within);
      return { ...this.facts, isNull: schema.type === 'null' };
    });
    this.facts = outer;
    for (const { guaranteed } of read) for (const [fact, parent] of guaranteed) outer.guaranteed.set(fact, parent);
    const counted = read.filter(({ isNull }) => !isNull);
    for (const [fact, parent] of read.flatMap(({ demanded }) => [...demanded]))
      if (direction === 'answer' || counted.every(({ demanded }) => demanded.has(fact)))
        outer.demanded.set(fact, parent);
  }
}

/** The fact that an input takes listed values only. */
const onlyListed = (at: string): string => `${at} takes listed values only`;

/** A change that a client of the older release may not survive. */
export interface Break {
  /** For example `GET /api/forums/`. */
  operation: string;
  change: string;
}

/** Compares the facts of two releases. @returns what the newer one breaks; of a field that went, not its parts */
export function findBreaks(older: ApiFacts, newer: ApiFacts): Break[] {
  // An input without a list of values takes all those that were listed before.
  const takesAnyValue = (fact: string): boolean => {
    const at = older.guaranteed.get(fact);
    return at != null && / may be (?![a-z]+$)/.test(fact.slice(at.length)) && !newer.demanded.has(onlyListed(at));
  };
  const isGone = (fact: string): boolean => !newer.guaranteed.has(fact) && !takesAnyValue(fact);
  const removed = [...older.guaranteed].filter(
    ([fact, parent]) => isGone(fact) && (parent === null || newer.guaranteed.has(parent)),
  );
  const added = [...newer.demanded].filter(
    ([fact, parent]) => !older.demanded.has(fact) && older.guaranteed.has(parent as string),
  );
  return [...removed.map(([fact]) => describe(fact, 'went')), ...added.map(([fact]) => describe(fact, 'is new'))];
}

function describe(fact: string, what: string): Break {
  const [method, path] = fact.split(' ');
  return { operation: `${method} ${path}`, change: `${fact}: ${what}` };
}
