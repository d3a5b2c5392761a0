/** What concerns somebody's account is mailed as an account notice; in the organization of the session it is told as well. */
import { currentScope } from '../database/connection.js';
import type { NoticeKind } from '../identity/notices/noticeText.js';
import { TEXTS } from '../identity/notices/texts.js';
import { notify } from './notify.js';
import { defineNotifications, type NotificationType } from './types.js';

/** Notices that are somebody's to know wherever they are signed in. Others go where no session is, or are an organization's. */
const TOLD = [
  'new_device',
  'password_changed',
  'temporary_password',
  'email_added',
  'email_removed',
  'address_linked',
  'primary_email_changed',
  'passkey_added',
  'passkey_removed',
  'passkey_suspected',
  'sso_linked',
  'social_account_linked',
  'impersonated',
  'account_deletion_requested',
  'account_deletion_cancelled',
] as const satisfies readonly NoticeKind[];

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const wordingOf = (kind: (typeof TOLD)[number]) =>
  ({
    event: 'account_security',
    who: 'Whose account it is',
    subject: 'account',
    cause: kind,
    title: TEXTS[kind].subject,
    body: sentence(TEXTS[kind].says.join(' ')),
    path: '/account/security',
    action: null,
    needsAccess: false,
    // The account is the reader's own.
    facts: `SELECT '{}'::jsonb WHERE n.subject_id = n.recipient_id`,
    recipients: 'SELECT s.subject_id AS user_id',
    unknownMail: 'again',
    mailedAsAccountNotice: true,
  }) as const;

const told: Partial<Record<NoticeKind, NotificationType>> = defineNotifications(
  Object.fromEntries(TOLD.map((kind) => [kind, wordingOf(kind)])) as Record<
    (typeof TOLD)[number],
    ReturnType<typeof wordingOf>
  >,
);

/**
 * One row, however many addresses the notice is mailed to. Also of what its reader did: whoever took the account over would
 * be that reader. Outside of an organization the mail is all.
 */
export async function tellOfNotice(kind: NoticeKind, userId: string, noticeId: string): Promise<void> {
  const type = told[kind];
  if (!type || currentScope().organizationId === null) return;
  await notify(type, [userId], { actor: null, cause: `${kind}:${noticeId}` });
}
