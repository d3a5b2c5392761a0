import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const RECIPIENT_STATUSES = ['pending', 'sent', 'failed', 'bounced', 'skipped'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

const REASONS = [
  'server_unavailable',
  'outcome_unknown',
  'refused',
  'unsubscribed',
  'suppressed',
  'not_entitled',
  'stopped',
] as const;

/** One address of the frozen audience of a bulletin, and what happened to its mail. */
export class BulletinRecipient extends defineModel({
  table: 'foundation_bulletin_recipients',
  columns: {
    ...tenantKeys,
    bulletin_id: link().as('bulletin').hidden(),
    email: column(DataTypes.TEXT, z.string()).meta({ example: 'sam@example.org' }),
    donor_id: link().as('donor').nullable(),
    user_id: link().as('user').nullable(),
    status: oneOf(RECIPIENT_STATUSES).default('pending').serverSet().meta({
      description:
        '`bounced`: a mail server accepted the mail and returned it later. `skipped`: no mail was sent, for the given reason.',
    }),
    reason: oneOf(REASONS).nullable().serverSet().meta({
      description:
        'Of `failed`: `server_unavailable` (no server has the mail; can be tried again), `outcome_unknown` (the mail may have arrived), `refused` (for good). Of `skipped`: `unsubscribed`, `suppressed` (the address bounced before), `not_entitled` (no longer in the audience), `stopped`.',
    }),
    claimed_round: integer(1, 2_147_483_647).nullable().serverSet().hidden(),
    concluded_at: moment().nullable(),
  },
}) {}
