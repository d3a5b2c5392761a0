import { DataTypes } from 'sequelize';
import { mapTable, TenantRow } from './TenantRow.js';

/** A part of an organization, which regional admins look after. */
export class Region extends TenantRow<Region> {
  declare name: string;
  /** State codes. */
  declare states: string[];
}

mapTable(Region, 'regions', { name: DataTypes.TEXT, states: DataTypes.ARRAY(DataTypes.TEXT) });
