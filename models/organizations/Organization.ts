import { type CreationOptional, DataTypes, type InferAttributes, type InferCreationAttributes, Model } from 'sequelize';
import { sequelize } from '../database/connection.js';

/** A tenant. Everybody may look it up; it changes only inside its own transaction. */
export class Organization extends Model<InferAttributes<Organization>, InferCreationAttributes<Organization>> {
  declare id: CreationOptional<string>;
  declare name: string;
  declare slug: string;
  declare org_type: string;
  declare is_active: boolean;
  /** HSL, for example `hsl(210, 50%, 40%)`; themes the frontend. */
  declare primary_color: string | null;
  declare accepts_account_requests: boolean;
  /** From 0 to 1: how alike two names must be to count as one. */
  declare name_check_threshold: number;
  /** A name of the tz database; it decides what 'today' is. */
  declare timezone: string;
  /** Whether members are mailed when an admin sees the platform as they do. */
  declare impersonation_notices: CreationOptional<boolean>;
  declare version: CreationOptional<number>;
}

Organization.init(
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    name: DataTypes.TEXT,
    slug: DataTypes.TEXT,
    org_type: DataTypes.TEXT,
    is_active: DataTypes.BOOLEAN,
    primary_color: DataTypes.TEXT,
    accepts_account_requests: DataTypes.BOOLEAN,
    name_check_threshold: DataTypes.DOUBLE,
    timezone: DataTypes.TEXT,
    impersonation_notices: DataTypes.BOOLEAN,
    version: DataTypes.INTEGER,
  },
  { sequelize, tableName: 'organizations', timestamps: false },
);
