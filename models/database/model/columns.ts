/**
 * The columns that rows are made of. One declaration says what Postgres keeps, what a client may give, and what an answer
 * shows: `name: text(200)`, `region_id: link().as('region').nullable()`.
 */
import { type DataType, DataTypes } from 'sequelize';
import { z } from 'zod';
import * as fields from '../../fields.js';

/**
 * needed: must be given when the row is created. filled: has a default where it is not. fixed: is not changed afterwards. kept: no client gives it. hidden: no
 * answer shows it, nor does the audit log. unlogged: the log has its name and no value. tenant: the organization whose row it is.
 */
export type Flag = 'needed' | 'filled' | 'fixed' | 'kept' | 'hidden' | 'unlogged' | 'tenant';

interface Meta extends Record<string, unknown> {
  description?: string;
  example?: unknown;
}

interface Facts {
  type: DataType;
  /** What a client may give. */
  given: z.ZodType;
  /** Its form in answers. */
  shown: z.ZodType;
  flags: readonly Flag[];
  isNullable?: boolean;
  isPrimaryKey?: boolean;
  default?: unknown;
  /** SQL of a default that Postgres computes. */
  computed?: string;
  /** What clients call it. */
  name?: string;
  meta?: Meta;
}

/** `Value` is what a row holds; `Name` is what clients call it, where that is not the column's name. */
export class Column<Value = unknown, Flags extends Flag = Flag, Name extends string = string> {
  declare readonly value: Value;
  declare readonly flags: Flags;
  declare readonly name: Name;

  constructor(readonly facts: Facts) {}

  /** May be NULL, and may be left out. */
  nullable() {
    return this.with<Value | null, Exclude<Flags, 'needed'>, Name>({ isNullable: true }, 'needed');
  }

  /** What the table holds where nobody says anything. Of a nullable one null: operations get null, too. */
  default(value: Value) {
    const flags = [...this.facts.flags, 'filled'] as const;
    return this.with<Value, Exclude<Flags, 'needed'> | 'filled', Name>({ default: value, flags }, 'needed');
  }

  /** The same where Postgres computes it: `now()`. */
  computed(sql: string) {
    return this.with<Value, Exclude<Flags, 'needed'>, Name>({ computed: sql }, 'needed');
  }

  /** Given when the row is created, and never changed. */
  fixed() {
    return this.flagged('fixed');
  }

  /** Set by operations only. */
  kept() {
    return this.flagged('kept');
  }

  /** Neither shown in answers nor written to the audit log. */
  hidden() {
    return this.flagged('hidden');
  }

  /** Says something of somebody who has no account, with whom the audit log could forget it: there it is null. */
  unlogged() {
    return this.flagged('unlogged');
  }

  /** Whose row it is: the open transaction says it, and row level security holds it. */
  tenant() {
    return this.flagged('tenant');
  }

  /** What bodies and answers call it: a link to a chapter is `chapter` there and `chapter_id` here. */
  as<Outside extends string>(name: Outside) {
    return this.with<Value, Flags, Outside>({ name });
  }

  /** For the docs. */
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

/** A column of a kind that is not below. @param shown its form in answers, where that has fewer rules than what is given */
export const column = <Given extends z.ZodType>(type: DataType, given: Given, shown: z.ZodType = given) =>
  new Column<z.output<Given>, 'needed', never>({ type, given, shown, flags: ['needed'] });

/** Text that people type. */
export const text = (longest: number) => column(DataTypes.TEXT, fields.text(longest), z.string());

/** The name of a person or a thing. */
export const name = (longest: number) => column(DataTypes.TEXT, fields.name(longest), z.string());

/** A digest, or what is encrypted. */
export const secret = () => column(DataTypes.TEXT, z.string()).kept().hidden();

/** One of a few words. */
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

/** When something happened, by the database's clock. */
export const moment = () =>
  new Column<Date, 'needed' | 'kept', never>({
    type: DataTypes.DATE,
    given: z.never(),
    shown: fields.moment,
    flags: ['needed', 'kept'],
  });

/** The id of another row. The foreign key holds that it is the tenant's. */
export const link = () => column(DataTypes.UUID, fields.recordId, z.uuid());

const id = link().primaryKey().computed('uuidv7()').kept();
const stamp = moment().computed('now()');

/** The tenant. Add `.as('organization')` where answers show it. */
export const tenant = link().fixed().kept().tenant();

/** A row of one organization. */
export const tenantKeys = { id, organization_id: tenant.hidden() };

/** A row of no organization's. */
export const platformKey = { id };

/** When a row was made and last changed; a trigger keeps the latter. */
export const times = { created_at: stamp, updated_at: stamp };

/** The same, with the version that two editors compare. */
export const stamps = { version: column(DataTypes.INTEGER, fields.version).default(1).kept(), ...times };
