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

/**
 * A reference letter about a prospective member, requested from a referee without an account (spec:
 * PNMReferenceLetter). The prospective member never sees it.
 */
export class ReferenceLetter extends defineModel({
  table: 'pnm_reference_letters',
  subject: 'pnm_reference_letter',
  columns: {
    ...tenantKeys,
    profile_id: link().as('pnm').serverSet(),
    name: name(200).fixed().unlogged().meta({ example: 'Dr. Ada Byron' }),
    email: column(DataTypes.TEXT, email, z.string()).fixed().unlogged(),
    relation: name(100).nullable().fixed().unlogged().meta({ example: 'Teacher' }),
    status: oneOf(LETTER_STATUSES).default('requested').serverSet(),
    text: text(10_000).nullable().serverSet().unlogged(),
    file_id: link().nullable().serverSet().hidden(),
    file_refused_at: moment()
      .nullable()
      .serverSet()
      .meta({ description: 'When an infected file was refused. Another letter is requested.' }),
    waiver_reason: text(500)
      .nullable()
      .serverSet()
      .meta({ description: 'Why the application is complete without the letter.' }),
    requested_by: link().nullable().serverSet().meta({ description: 'Null if the applicant named the referee.' }),
    expires_at: moment().serverSet().meta({ description: 'The mailed links are valid until then.' }),
    reminders: integer(0, 100).default(0).serverSet().hidden(),
    asked_at: moment().nullable().serverSet().meta({ description: 'When the referee was last mailed.' }),
    notice_id: link().nullable().serverSet().hidden(),
    mail_outcome: text(20).nullable().serverSet().hidden(),
    ended_with_period: yesOrNo().default(false).serverSet().hidden(),
    closed_at: moment().nullable().serverSet(),
    ...stamps,
  },
  derived: {
    is_being_checked: derived(
      z.boolean().meta({ description: 'Whether its file is still being checked.' }),
      `EXISTS (SELECT FROM stored_files s WHERE s.organization_id = pnm_reference_letters.organization_id
         AND s.id = pnm_reference_letters.file_id AND s.status = 'held')`,
    ),
    has_file: derived(
      z.boolean().meta({ description: 'Whether the letter was sent as a PDF.' }),
      'pnm_reference_letters.file_id IS NOT NULL',
    ),
  },
  triggers: {
    pnm_reference_letters_begin: ['starts referenceLetter'],
    pnm_reference_letters_end: ['starts referenceLetter'],
    pnm_reference_letters_end_mail: ['account_notices'],
    pnm_reference_letters_gone_mail: ['account_notices'],
    pnm_reference_letters_removed: ['stored_files'],
  },
  constraints: { pnm_reference_letters_one_a_referee: intakeErrors.letter_requested },
}) {}
