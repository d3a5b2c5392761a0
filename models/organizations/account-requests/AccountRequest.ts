import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, name, oneOf, secret, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { email } from '../../fields.js';
import { LONGEST_NOTES, requestColumns } from '../requests/columns.js';

/** How an approval gives somebody access: a membership of their own, or a further address of somebody who has one. */
export const ACCOUNT_MODES = ['create', 'link'] as const;
export type AccountMode = (typeof ACCOUNT_MODES)[number];

// Whoever asks has no account.
const { requested_by: _nobody, ...columns } = requestColumns(['unverified', 'pending']);

/** Somebody without an account asks for one (spec: AccountRequest). */
export class AccountRequest extends defineModel({
  table: 'account_requests',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').nullable(),
    email: column(DataTypes.TEXT, email, z.string())
      .nullable()
      .meta({ description: 'Null once its person is erased.' }),
    first_name: name(100),
    last_name: name(100),
    phone_number: text(40).nullable(),
    justification: text(LONGEST_NOTES),
    ...columns,
    status: columns.status.default('unverified'),
    token_hash: secret().nullable(),
    token_expires_at: moment().nullable().hidden(),
    withdrawal_hash: secret().nullable(),
    verified_at: moment().nullable().meta({ description: 'When the address was proven by the mail.' }),
    mode: oneOf(ACCOUNT_MODES).nullable().kept(),
    created_user_id: link().as('created_user').nullable().kept().meta({
      description: 'The account that was made by accepting; null before, and where the address had one.',
    }),
    created_membership_id: link().as('created_membership').nullable().kept(),
    linked_user_id: link().as('linked_user').nullable().kept(),
    linked_email_id: link().nullable().kept().hidden(),
    undo_token_hash: secret().nullable(),
    undo_until: moment().nullable(),
    undone_at: moment().nullable().meta({ description: 'When the linked account took the address back.' }),
    ...stamps,
  },
  derived: {
    requested_by: derived(
      z.uuid().nullable().meta({ description: 'Null: whoever asks has no account.' }),
      'NULL::uuid',
    ),
  },
  constraints: {
    account_requests_organization_id_chapter_id_fkey: () => invalid('chapter', 'There is no such chapter.'),
  },
}) {}
