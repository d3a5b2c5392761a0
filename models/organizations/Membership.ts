import { type CreationOptional, DataTypes } from 'sequelize';
import { mapTable, TenantRow } from './TenantRow.js';
import type { GraduationSeason, MembershipRole, MembershipStatus } from './vocabulary.js';

/** A person's place in a chapter; one per person and chapter (spec: Membership rules). */
export class Membership extends TenantRow<Membership> {
  declare user_id: string;
  declare chapter_id: string;
  declare role: CreationOptional<MembershipRole>;
  declare status: CreationOptional<MembershipStatus>;
  declare joined_date: CreationOptional<string | null>;
  /** The year in which the academic year ends: 2027 for a graduation in fall 2026. */
  declare graduation_year: CreationOptional<number | null>;
  declare graduation_season: CreationOptional<GraduationSeason | null>;
  declare pledge_class: CreationOptional<string | null>;
  declare line_number: CreationOptional<number | null>;
  declare crossing_semester: CreationOptional<string | null>;
  declare crossing_date: CreationOptional<string | null>;
}

mapTable(Membership, 'memberships', {
  user_id: DataTypes.UUID,
  chapter_id: DataTypes.UUID,
  role: DataTypes.TEXT,
  status: DataTypes.TEXT,
  joined_date: DataTypes.DATEONLY,
  graduation_year: DataTypes.INTEGER,
  graduation_season: DataTypes.TEXT,
  pledge_class: DataTypes.TEXT,
  line_number: DataTypes.INTEGER,
  crossing_semester: DataTypes.TEXT,
  crossing_date: DataTypes.DATEONLY,
});
