import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, json, link, moment, oneOf, platformKey, secret, text, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import type { NoticeKind } from './noticeText.js';

export const NOTICE_ENDS = ['sent', 'refused', 'expired', 'cancelled'] as const;

/** Mail about an account, open until it is out or given up. */
export class AccountNotice extends defineModel({
  table: 'account_notices',
  columns: {
    ...platformKey,
    // Null: whoever the address turns out to belong to.
    user_id: link().nullable(),
    kind: column(DataTypes.TEXT, z.custom<NoticeKind>()),
    email: text(254),
    facts: json(z.record(z.string(), z.string())).default({}),
    secret_encrypted: secret().nullable(),
    expires_at: moment().nullable(),
    outcome: oneOf(NOTICE_ENDS).nullable(),
    closed_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
