import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, name, oneOf, secret, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { email } from '../../fields.js';
import { MAX_NOTES_LENGTH, requestColumns } from '../requests/columns.js';

/** How an approval gives access: it creates a membership, or links the address to an existing member's account. */
export const ACCOUNT_MODES = ['create', 'link'] as const;
export type AccountMode = (typeof ACCOUNT_MODES)[number];

// Leaves out the column `requested_by`, because the requester has no account.
const { requested_by: _requestedBy, ...columns } = requestColumns(['unverified', 'pending']);

/** A request for an account by a person who has none (spec: AccountRequest). */
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
    justification: text(MAX_NOTES_LENGTH),
    ...columns,
    status: columns.status.default('unverified'),
    token_hash: secret().nullable(),
    token_expires_at: moment().nullable().hidden(),
    withdrawal_hash: secret().nullable(),
    verified_at: moment()
      .nullable()
      .meta({ description: 'When the requester verified the address with the link in the email.' }),
    mode: oneOf(ACCOUNT_MODES).nullable().serverSet(),
    created_user_id: link().as('created_user').nullable().serverSet().meta({
      description:
        'The account that was created when the person accepted. Null before that, and when the address already had an account.',
    }),
    created_membership_id: link().as('created_membership').nullable().serverSet(),
    linked_user_id: link().as('linked_user').nullable().serverSet(),
    linked_email_id: link().nullable().serverSet().hidden(),
    undo_token_hash: secret().nullable(),
    undo_until: moment().nullable(),
    undone_at: moment()
      .nullable()
      .meta({ description: 'When the owner of the linked account removed the address again.' }),
    ...stamps,
  },
  derived: {
    requested_by: derived(
      z.uuid().nullable().meta({ description: 'Always null: the requester has no account.' }),
      'NULL::uuid',
    ),
  },
  constraints: {
    account_requests_organization_id_chapter_id_fkey: () => invalid('chapter', 'There is no such chapter.'),
  },
}) {}
