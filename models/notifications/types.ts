/**
 * Notification types. The area that owns a fact declares its type, and records a notification in the transaction that
 * makes the fact true (`notify.ts`):
 *
 *     export const notifications = defineNotifications({ invoice_issued: { event: 'invoice_issued', … } });
 *     await notify(notifications.invoice_issued, [invoice.id]);
 */
import type { EventType } from './eventTypes.js';

/** The recipients are the organization's admins, for any subject. */
export const ADMINS = 'active_admins';

interface Wording {
  event: EventType;
  /** The recipients in words, for the table in the docs. */
  who: string;
  /** The kind of row that `subject_id` names. */
  subject: string;
  /** The event of the subject. Subject and cause are the fact, of which each person is notified once. */
  cause: string;
  /** Up to 200 characters; `{name}` is replaced by a fact. */
  title: string;
  /** Up to 500 characters. */
  body: string;
  /** The path of the page that shows it; `{subject}` is replaced by its id. */
  path: string;
  /** The action that the recipient should take; null: none. */
  action: string | null;
  /** False if people without access get it as well, for example for the loss of access or an invoice. */
  needsAccess: boolean;
  /**
   * Name of the SQL function of the facts that the texts name: `app.<name>(organization, subject, recipient, type)`. It
   * returns one jsonb object, or no row if the recipient may not see the facts or they are not true any more. Called
   * when a notification is created and again when it is delivered. Amounts are made by `app.money_fact`, so that pushes
   * can leave them out. `office_of` is the chapter or organization through whose office the recipient may see the facts;
   * without it they see them in their own right, permanently.
   */
  facts: string;
  /**
   * Name of the SQL function of the recipients: `app.<name>(organization, subject)` returns each `user_id`. `ADMINS`: the
   * organization's admins. Null: the caller names the recipients.
   */
  recipients: string | null;
  /** Whether a mail with unknown outcome is sent again under the same Message-ID. */
  unknownMail: 'again' | 'never';
  /** Whether its mail is sent as an account notice instead. */
  mailedAsAccountNotice?: true;
  /** Whether pushes show none of its texts, because they are confidential. */
  hideFromPush?: true;
}

export interface NotificationType extends Readonly<Wording> {
  readonly name: string;
}

const registry = new Map<string, NotificationType>();

/**
 * Declares an area's types.
 * @returns each type with its name
 */
export function defineNotifications<Name extends string>(table: Record<Name, Wording>): Record<Name, NotificationType> {
  const types = Object.entries<Wording>(table).map(([name, wording]) => [name, { name, ...wording }] as const);
  for (const [name, type] of types) registry.set(name, type);
  return Object.fromEntries(types) as Record<Name, NotificationType>;
}

/** Returns the types of all loaded areas. */
export const allTypes = (): readonly NotificationType[] => [...registry.values()];

/**
 * Returns a type.
 * @throws Error for an unknown name
 */
export function typeNamed(name: string): NotificationType {
  const type = registry.get(name);
  if (!type) throw new Error(`There is no notification type ${name}.`);
  return type;
}

/** Returns how to handle a mail with unknown outcome. A type of a newer release is never sent again. */
export const unknownMailOf = (name: string): NotificationType['unknownMail'] =>
  registry.get(name)?.unknownMail ?? 'never';
