import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  column,
  integer,
  link,
  moment,
  name,
  oneOf,
  stamps,
  tenantKeys,
  text,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { email } from '../../fields.js';
import { intakeErrors } from '../errors.js';
import { LETTER_STATUSES } from '../vocabulary.js';

/** A letter about a prospective member, asked of somebody who has no account (spec: PNMReferenceLetter). Never shown to the person. */
export class ReferenceLetter extends defineModel({
  table: 'pnm_reference_letters',
  subject: 'pnm_reference_letter',
  columns: {
    ...tenantKeys,
    profile_id: link().as('pnm').kept(),
    name: name(200).fixed().unlogged().meta({ example: 'Dr. Ada Byron' }),
    email: column(DataTypes.TEXT, email, z.string()).fixed().unlogged(),
    relation: name(100).nullable().fixed().unlogged().meta({ example: 'Teacher' }),
    status: oneOf(LETTER_STATUSES).default('requested').kept(),
    text: text(10_000).nullable().kept().unlogged(),
    file_id: link().nullable().kept().hidden(),
    file_refused_at: moment()
      .nullable()
      .kept()
      .meta({ description: 'When a file that came was refused as infected. Another is asked for.' }),
    waiver_reason: text(500).nullable().kept().meta({ description: 'Why the application is whole without it.' }),
    requested_by: link().nullable().kept().meta({ description: 'Null: the applicant has named them.' }),
    expires_at: moment().kept().meta({ description: 'Until then the links that were mailed can be used.' }),
    reminders: integer(0, 100).default(0).kept().hidden(),
    asked_at: moment().nullable().kept().meta({ description: 'When they were last mailed.' }),
    notice_id: link().nullable().kept().hidden(),
    mail_outcome: text(20).nullable().kept().hidden(),
    ended_with_period: yesOrNo().default(false).kept().hidden(),
    closed_at: moment().nullable().kept(),
    ...stamps,
  },
  derived: {
    is_being_checked: derived(
      z.boolean().meta({ description: 'Its file cannot be read yet.' }),
      `EXISTS (SELECT FROM stored_files s WHERE s.organization_id = pnm_reference_letters.organization_id
         AND s.id = pnm_reference_letters.file_id AND s.status = 'held')`,
    ),
    has_file: derived(
      z.boolean().meta({ description: 'It came as a PDF.' }),
      'pnm_reference_letters.file_id IS NOT NULL',
    ),
  },
  constraints: { pnm_reference_letters_one_a_referee: intakeErrors.letter_requested },
}) {}
