import { type CreationOptional, DataTypes } from 'sequelize';
import { mapTable, TenantRow } from './TenantRow.js';
import type { ChapterStatus } from './vocabulary.js';

export class Chapter extends TenantRow<Chapter> {
  declare region_id: CreationOptional<string | null>;
  declare name: string;
  declare designation: CreationOptional<string | null>;
  declare university: CreationOptional<string | null>;
  declare city: CreationOptional<string | null>;
  declare state: CreationOptional<string | null>;
  declare founded_date: CreationOptional<string | null>;
  declare status: CreationOptional<ChapterStatus>;
}

mapTable(Chapter, 'chapters', {
  region_id: DataTypes.UUID,
  name: DataTypes.TEXT,
  designation: DataTypes.TEXT,
  university: DataTypes.TEXT,
  city: DataTypes.TEXT,
  state: DataTypes.TEXT,
  founded_date: DataTypes.DATEONLY,
  status: DataTypes.TEXT,
});
