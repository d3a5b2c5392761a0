/**
 * When a mail about the security of an account (an account notice) is enqueued, also records the event as a
 * notification in the organization of the current session, if there is one.
 */
import { currentScope } from '../database/connection.js';
import type { NoticeKind } from '../identity/notices/noticeText.js';
import { TEXTS } from '../identity/notices/texts.js';
import { notify } from './notify.js';
import { defineNotifications, type NotificationType } from './types.js';

/**
 * Kinds of account notices that also become notifications in the session's organization. Notices of other kinds are
 * sent without a session, or are about one organization only.
 */
const NOTIFIED_KINDS = [
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

const wordingOf = (kind: (typeof NOTIFIED_KINDS)[number]) =>
  ({
    event: 'account_security',
    who: 'The owner of the account',
    subject: 'account',
    cause: kind,
    title: TEXTS[kind].subject,
    body: sentence(TEXTS[kind].says.join(' ')),
    path: '/account/security',
    action: null,
    needsAccess: false,
    facts: 'account_facts',
    recipients: 'account_owner',
    unknownMail: 'again',
    mailedAsAccountNotice: true,
  }) as const;

const notificationTypes: Partial<Record<NoticeKind, NotificationType>> = defineNotifications(
  Object.fromEntries(NOTIFIED_KINDS.map((kind) => [kind, wordingOf(kind)])) as Record<
    (typeof NOTIFIED_KINDS)[number],
    ReturnType<typeof wordingOf>
  >,
);

/**
 * Records one notification for an account notice, even if the notice is mailed to several addresses. The actor is null,
 * so that the owner is also notified of actions in their own name: an attacker who took over the account acts as the
 * owner. Without an organization, only the mail is sent.
 */
export async function notifyOfNotice(kind: NoticeKind, userId: string, noticeId: string): Promise<void> {
  const type = notificationTypes[kind];
  if (!type || currentScope().organizationId === null) return;
  await notify(type, [userId], { actor: null, cause: `${kind}:${noticeId}` });
}
