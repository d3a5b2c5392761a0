import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type ModelAttributes,
  type ModelStatic,
} from 'sequelize';
import { sequelize } from '../database/connection.js';
import { uuidv7 } from '../database/uuid.js';

/** A row of one organization that two people may edit. The database keeps `version` and the times. */
export abstract class TenantRow<Row extends TenantRow<Row>> extends Model<
  InferAttributes<Row>,
  InferCreationAttributes<Row>
> {
  declare id: CreationOptional<string>;
  declare organization_id: string;
  declare version: CreationOptional<number>;
}

const OWN = {
  id: { type: DataTypes.UUID, primaryKey: true, defaultValue: () => uuidv7() },
  organization_id: { type: DataTypes.UUID, allowNull: false },
  version: { type: DataTypes.INTEGER },
};

/** Ties a row class to its table. @param columns those beside id, tenant and version */
export function mapTable<Row extends TenantRow<Row>>(row: ModelStatic<Row>, tableName: string, columns: object): void {
  row.init({ ...OWN, ...columns } as ModelAttributes<Row>, { sequelize, tableName, timestamps: false });
}
