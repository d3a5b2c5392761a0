import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, name, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { birthday } from '../../fields.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { PNM_STAGES } from '../vocabulary.js';

const hundredths = z.number().min(0).max(100).multipleOf(0.01, 'Must have two decimals at most.');

/** Answers and stage of a prospective member; one profile per membership. */
export class PnmProfile extends defineModel({
  table: 'pnm_profiles',
  subject: 'pnm_profile',
  person: 'membership_id',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    membership_id: link().as('membership').serverSet(),
    recruitment_period_id: link()
      .as('recruitment_period')
      .nullable()
      .serverSet()
      .meta({ description: 'The period that was active when the person joined the intake.' }),
    stage: oneOf(PNM_STAGES).default('not_started').serverSet(),
    stage_reason: text(500)
      .nullable()
      .serverSet()
      .meta({ description: 'Why the person was rejected or has withdrawn.' }),
    closed_from: oneOf(PNM_STAGES).nullable().serverSet().hidden(),
    crossed_at: moment().nullable(),
    birth_date: column(DataTypes.DATEONLY, birthday, z.iso.date()).nullable().meta({ example: '2005-04-12' }),
    expected_graduation_semester: text(50).nullable().meta({ example: 'Fall' }),
    expected_graduation_year: integer(1900, 2100).nullable().meta({ description: 'Calendar year.', example: 2027 }),
    phone_number: text(40).nullable(),
    permanent_address: text(1000).nullable(),
    ethnicity: text(100)
      .nullable()
      .hidden()
      .meta({ description: 'Not shown here. A crossing copies it to the member’s demographics.' }),
    place_of_birth: text(200).nullable(),
    gpa: column(DataTypes.DOUBLE, hundredths, z.number()).nullable().meta({ example: 3.42 }),
    year_in_college: text(50).nullable(),
    organizations_memberships: text(5000).nullable(),
    honors_achievements: text(5000).nullable(),
    other_activities: text(5000).nullable(),
    community_involvement: text(5000).nullable(),
    emergency_contact_name: name(200).nullable(),
    emergency_contact_phone: text(40).nullable(),
    degree_type: text(100).nullable(),
    admin_notes: text(5000).nullable().meta({ description: 'Never shown to the person.' }),
    ...stamps,
  },
  constraints: {
    // Raised by the trigger in follow_prospects.sql if the recruitment period is closed.
    pnm_profiles_period_runs: () =>
      organizationsErrors.transition_not_allowed(
        'This is not possible, because the recruitment period of this prospective member is closed. Reopen the period first.',
      ),
  },
}) {}
