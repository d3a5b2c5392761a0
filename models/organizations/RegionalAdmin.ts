import { type CreationOptional, DataTypes } from 'sequelize';
import { mapTable, TenantRow } from './TenantRow.js';
import type { RegionalRole } from './vocabulary.js';

/** A person who administers one region. */
export class RegionalAdmin extends TenantRow<RegionalAdmin> {
  declare region_id: string;
  declare user_id: string;
  declare role: RegionalRole;
  declare title: CreationOptional<string | null>;
  declare is_active: CreationOptional<boolean>;
}

mapTable(RegionalAdmin, 'regional_admins', {
  region_id: DataTypes.UUID,
  user_id: DataTypes.UUID,
  role: DataTypes.TEXT,
  title: DataTypes.TEXT,
  is_active: DataTypes.BOOLEAN,
});
