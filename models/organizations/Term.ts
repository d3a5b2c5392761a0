import { DataTypes } from 'sequelize';
import { mapTable, TenantRow } from './TenantRow.js';

/** A stretch of the organization's calendar; its days include both ends. */
export class Term extends TenantRow<Term> {
  declare name: string;
  declare starts_on: string;
  declare ends_on: string;
}

mapTable(Term, 'terms', { name: DataTypes.TEXT, starts_on: DataTypes.DATEONLY, ends_on: DataTypes.DATEONLY });
