import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, json, link, moment, oneOf, platformKey, secret, text, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import type { NoticeKind } from './noticeText.js';

export const NOTICE_OUTCOMES = ['sent', 'refused', 'expired', 'cancelled'] as const;

/** An account notice: a mail about an account. It is open until it is sent or abandoned. */
export class AccountNotice extends defineModel({
  table: 'account_notices',
  columns: {
    ...platformKey,
    // The account whose person receives the mail. Null: the recipient is the account that has the address at the time
    // of sending.
    user_id: link().nullable(),
    kind: column(DataTypes.TEXT, z.custom<NoticeKind>()),
    email: text(254),
    facts: json(z.record(z.string(), z.string())).default({}),
    secret_encrypted: secret().nullable(),
    expires_at: moment().nullable(),
    outcome: oneOf(NOTICE_OUTCOMES).nullable(),
    closed_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
