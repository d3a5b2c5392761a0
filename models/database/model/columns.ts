/**
 * Column declarations of models. One declaration defines the type in Postgres, the client's input, and the form in
 * answers: `name: text(200)`, `region_id: link().as('region').nullable()`.
 */
import { type DataType, DataTypes } from 'sequelize';
import { z } from 'zod';
import * as fields from '../../fields.js';

/**
 * needed: required when the row is created. filled: has a default. fixed: never changed afterwards. kept: never set
 * by clients. hidden: absent from answers and from the audit log. unlogged: the audit log has its name and no value.
 * tenant: the organization that owns the row.
 */
export type Flag = 'needed' | 'filled' | 'fixed' | 'kept' | 'hidden' | 'unlogged' | 'tenant';

interface Meta extends Record<string, unknown> {
  description?: string;
  example?: unknown;
}

interface Facts {
  type: DataType;
  /** Schema of the client's input. */
  given: z.ZodType;
  /** Schema in answers. */
  shown: z.ZodType;
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

/** `Value` is the type in a row; `Name` is the name in the API, where it differs from the column's. */
export class Column<Value = unknown, Flags extends Flag = Flag, Name extends string = string> {
  declare readonly value: Value;
  declare readonly flags: Flags;
  declare readonly name: Name;

  constructor(readonly facts: Facts) {}

  /** May be NULL, and is optional in bodies. */
  nullable() {
    return this.with<Value | null, Exclude<Flags, 'needed'>, Name>({ isNullable: true }, 'needed');
  }

  /**
   * Default value of the table. A nullable column with default null passes null to operations when a body leaves it
   * out.
   */
  default(value: Value) {
    const flags = [...this.facts.flags, 'filled'] as const;
    return this.with<Value, Exclude<Flags, 'needed'> | 'filled', Name>({ default: value, flags }, 'needed');
  }

  /** Default computed by Postgres: `now()`. */
  computed(sql: string) {
    return this.with<Value, Exclude<Flags, 'needed'>, Name>({ computed: sql }, 'needed');
  }

  /** Set when the row is created, never changed. */
  fixed() {
    return this.flagged('fixed');
  }

  /** Set by operations only. */
  kept() {
    return this.flagged('kept');
  }

  /** Absent from answers and from the audit log. */
  hidden() {
    return this.flagged('hidden');
  }

  /**
   * Concerns a person without an account, so that the audit log could not erase it with them: the log stores null.
   */
  unlogged() {
    return this.flagged('unlogged');
  }

  /** The tenant column: set by the open transaction and enforced by row level security. */
  tenant() {
    return this.flagged('tenant');
  }

  /** Sets the name in the API: a link to a chapter is `chapter` there and `chapter_id` in the table. */
  as<Outside extends string>(name: Outside) {
    return this.with<Value, Flags, Outside>({ name });
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

  private flagged<Added extends Flag>(flag: Added) {
    return this.with<Value, Flags | Added, Name>({ flags: [...this.facts.flags, flag] });
  }

  private with<V, F extends Flag, N extends string>(facts: Partial<Facts>, without?: Flag): Column<V, F, N> {
    const flags = (facts.flags ?? this.facts.flags).filter((flag) => flag !== without);
    return new Column<V, F, N>({ ...this.facts, ...facts, flags });
  }
}

/**
 * A column of a type not listed below. @param shown its schema in answers, where that has fewer rules than the input
 */
export const column = <Given extends z.ZodType>(type: DataType, given: Given, shown: z.ZodType = given) =>
  new Column<z.output<Given>, 'needed', never>({ type, given, shown, flags: ['needed'] });

/** Text typed by people. */
export const text = (longest: number) => column(DataTypes.TEXT, fields.text(longest), z.string());

/** The name of a person or a thing. */
export const name = (longest: number) => column(DataTypes.TEXT, fields.name(longest), z.string());

/** A digest or a ciphertext. */
export const secret = () => column(DataTypes.TEXT, z.string()).kept().hidden();

/** One of a set of values. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  column(DataTypes.TEXT, z.enum(words));

export const yesOrNo = () => column(DataTypes.BOOLEAN, z.boolean());

/** A whole number. */
export const integer = (least: number, most: number) =>
  column(DataTypes.INTEGER, z.int().min(least).max(most), z.int());

/** An amount in the currency's smallest unit. */
export const cents = (least: number, most = fields.MAX_CENTS) =>
  column(DataTypes.BIGINT, z.int().min(least).max(most), fields.cents);

export const day = () => column(DataTypes.DATEONLY, fields.day, z.iso.date());

export const json = <Given extends z.ZodType>(given: Given) => column(DataTypes.JSONB, given);

/** A timestamp on the database's clock. */
export const moment = () =>
  new Column<Date, 'needed' | 'kept', never>({
    type: DataTypes.DATE,
    given: z.never(),
    shown: fields.moment,
    flags: ['needed', 'kept'],
  });

/** Id of another row. The composite foreign key guarantees the same tenant. */
export const link = () => column(DataTypes.UUID, fields.recordId, z.uuid());

const id = link().primaryKey().computed('uuidv7()').kept();
const stamp = moment().computed('now()');

/** The tenant column. Add `.as('organization')` where answers show it. */
export const tenant = link().fixed().kept().tenant();

/** Keys of a tenant's row. */
export const tenantKeys = { id, organization_id: tenant.hidden() };

/** Key of a row without a tenant. */
export const platformKey = { id };

/** Creation and last change; a trigger maintains the latter. */
export const times = { created_at: stamp, updated_at: stamp };

/** Timestamps and the version for optimistic locking. */
export const stamps = { version: column(DataTypes.INTEGER, fields.version).default(1).kept(), ...times };
