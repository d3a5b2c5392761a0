/**
 * Column declarations of models. One declaration defines the type in Postgres, the client's input, and the form in API
 * responses: `name: text(200)`, `region_id: link().as('region').nullable()`.
 */
import { type DataType, DataTypes } from 'sequelize';
import { z } from 'zod';
import * as fields from '../../fields.js';

/**
 * required: must be set when the row is created. hasDefault: has a default value. fixed: never changed after the
 * creation. serverSet: never set by clients. hidden: absent from API responses and from the audit log. unlogged: the
 * audit log contains its name but not its value. tenant: the organization that owns the row.
 */
export type Flag = 'required' | 'hasDefault' | 'fixed' | 'serverSet' | 'hidden' | 'unlogged' | 'tenant';

interface Meta extends Record<string, unknown> {
  description?: string;
  example?: unknown;
}

interface ColumnFacts {
  type: DataType;
  /** Schema of the client's input. */
  input: z.ZodType;
  /** Schema in API responses. */
  output: z.ZodType;
  flags: readonly Flag[];
  isNullable?: boolean;
  isPrimaryKey?: boolean;
  default?: unknown;
  /** SQL of a default computed by Postgres. */
  computed?: string;
  /** Name in the API. */
  name?: string;
  meta?: Meta;
}

/**
 * A column of a model. `Value` is the type of the column's values in a row. `Name` is the column's name in the API, or
 * the type `never` if the name is the same as in the table.
 */
export class Column<Value = unknown, Flags extends Flag = Flag, Name extends string = string> {
  declare readonly value: Value;
  declare readonly flags: Flags;
  declare readonly name: Name;

  constructor(readonly facts: ColumnFacts) {}

  /** Allows NULL, and makes the column optional in bodies. */
  nullable() {
    return this.with<Value | null, Exclude<Flags, 'required'>, Name>({ isNullable: true }, 'required');
  }

  /**
   * Sets the column's default value. If a nullable column has the default null, operations receive null when the
   * request body leaves the column out.
   */
  default(value: Value) {
    const flags = [...this.facts.flags, 'hasDefault'] as const;
    return this.with<Value, Exclude<Flags, 'required'> | 'hasDefault', Name>({ default: value, flags }, 'required');
  }

  /** Sets a default that Postgres computes, for example `now()`. */
  computed(sql: string) {
    return this.with<Value, Exclude<Flags, 'required'>, Name>({ computed: sql }, 'required');
  }

  /** Lets clients set the column when the row is created, but not change it afterwards. */
  fixed() {
    return this.withFlag('fixed');
  }

  /** Lets operations alone set the column, never a client. */
  serverSet() {
    return this.withFlag('serverSet');
  }

  /** Excludes the column from API responses and from the audit log. */
  hidden() {
    return this.withFlag('hidden');
  }

  /**
   * Keeps the column's values out of the audit log, which stores null instead. Use it for values about a person without
   * an account: audit values are erased when the person's account is erased, so without an account they would stay
   * forever.
   */
  unlogged() {
    return this.withFlag('unlogged');
  }

  /** Marks the tenant column. It is set from the current transaction, and row level security enforces it. */
  tenant() {
    return this.withFlag('tenant');
  }

  /** Sets the name in the API: a link to a chapter is `chapter` there and `chapter_id` in the table. */
  as<ApiName extends string>(name: ApiName) {
    return this.with<Value, Flags, ApiName>({ name });
  }

  /** Adds metadata for the API documentation. */
  meta(meta: Meta) {
    return this.with<Value, Flags, Name>({ meta: { ...this.facts.meta, ...meta } });
  }

  primaryKey() {
    return this.with<Value, Flags, Name>({ isPrimaryKey: true });
  }

  has(flag: Flag): boolean {
    return this.facts.flags.includes(flag);
  }

  private withFlag<Added extends Flag>(flag: Added) {
    return this.with<Value, Flags | Added, Name>({ flags: [...this.facts.flags, flag] });
  }

  private with<V, F extends Flag, N extends string>(facts: Partial<ColumnFacts>, without?: Flag): Column<V, F, N> {
    const flags = (facts.flags ?? this.facts.flags).filter((flag) => flag !== without);
    return new Column<V, F, N>({ ...this.facts, ...facts, flags });
  }
}

/**
 * Declares a column of a type that has no function of its own below.
 * @param output schema in API responses, if it has fewer rules than the input
 */
export const column = <Input extends z.ZodType>(type: DataType, input: Input, output: z.ZodType = input) =>
  new Column<z.output<Input>, 'required', never>({ type, input, output, flags: ['required'] });

/** Text that people type. */
export const text = (longest: number) => column(DataTypes.TEXT, fields.text(longest), z.string());

/** The name of a person or a thing. */
export const name = (longest: number) => column(DataTypes.TEXT, fields.name(longest), z.string());

/** A hash or an encrypted value. Clients neither set nor see it. */
export const secret = () => column(DataTypes.TEXT, z.string()).serverSet().hidden();

/** One of a set of values. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  column(DataTypes.TEXT, z.enum(words));

export const yesOrNo = () => column(DataTypes.BOOLEAN, z.boolean());

/** A whole number. */
export const integer = (min: number, max: number) => column(DataTypes.INTEGER, z.int().min(min).max(max), z.int());

/** An amount in the currency's smallest unit. */
export const cents = (min: number, max = fields.MAX_CENTS) =>
  column(DataTypes.BIGINT, z.int().min(min).max(max), fields.cents);

export const day = () => column(DataTypes.DATEONLY, fields.day, z.iso.date());

export const json = <Input extends z.ZodType>(input: Input) => column(DataTypes.JSONB, input);

/** A timestamp on the database's clock. */
export const moment = () =>
  new Column<Date, 'required' | 'serverSet', never>({
    type: DataTypes.DATE,
    input: z.never(),
    output: fields.moment,
    flags: ['required', 'serverSet'],
  });

/** Id of another row. A composite foreign key guarantees that both rows belong to the same tenant. */
export const link = () => column(DataTypes.UUID, fields.recordId, z.uuid());

const id = link().primaryKey().computed('uuidv7()').serverSet();
const stamp = moment().computed('now()');

/** The tenant column. Add `.as('organization')` if API responses show it. */
export const tenant = link().fixed().serverSet().tenant();

/** Keys of a tenant's row. */
export const tenantKeys = { id, organization_id: tenant.hidden() };

/** Key of a row without a tenant. */
export const platformKey = { id };

/** When the row was created and last changed. A trigger maintains `updated_at`. */
export const times = { created_at: stamp, updated_at: stamp };

/** Timestamps and the version for optimistic locking. */
export const stamps = { version: column(DataTypes.INTEGER, fields.version).default(1).serverSet(), ...times };
