import { type CreationOptional, DataTypes } from 'sequelize';
import { mapTable, TenantRow } from './TenantRow.js';

/** A person who administers an organization. The database keeps one of them active. */
export class OrganizationAdmin extends TenantRow<OrganizationAdmin> {
  declare user_id: string;
  declare title: CreationOptional<string | null>;
  declare is_active: CreationOptional<boolean>;
}

mapTable(OrganizationAdmin, 'organization_admins', {
  user_id: DataTypes.UUID,
  title: DataTypes.TEXT,
  is_active: DataTypes.BOOLEAN,
});
