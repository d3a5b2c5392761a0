/**
 * Notification types. The area that owns a fact declares its type, and records a notification in the transaction that
 * makes the fact true (`notify.ts`):
 *
 *     export const notifications = defineNotifications({ invoice_issued: { event: 'invoice_issued', … } });
 *     await notify(notifications.invoice_issued, [invoice.id]);
 */
import type { EventType } from './eventTypes.js';

/** Value of `recipients` for types that notify the organization's admins, whichever the subject is. */
export const ADMINS = 'active_admins';

interface Wording {
  event: EventType;
  /** Description of the recipients, for the table in the documentation. */
  who: string;
  /** The kind of row to which `subject_id` refers. */
  subject: string;
  /**
   * Name of the event that happened to the subject. Subject and cause together identify the fact, of which each person
   * is notified once.
   */
  cause: string;
  /** Title, up to 200 characters. `{name}` is replaced by the fact of that name. */
  title: string;
  /** Body, up to 500 characters. Placeholders as in the title. */
  body: string;
  /** Path of the page that shows the subject. `{subject}` is replaced by the subject's id. */
  path: string;
  /** Label of the action that the recipient should take; null if there is none. */
  action: string | null;
  /**
   * Whether only people with access to the organization are notified. False for example for a loss of access or an
   * invoice, of which people without access are notified as well.
   */
  needsAccess: boolean;
  /**
   * Name of the SQL function that returns the facts for the placeholders of the texts: `app.<name>(organization,
   * subject, recipient, type)`. It returns one jsonb object, or no row if the recipient may not see the facts or they
   * are not true any more. Called when a notification is created and again when it is delivered. Amounts are made by
   * `app.money_fact`, so that pushes can leave them out. `office_of` is the chapter or organization through whose
   * office the recipient may see the facts; without it they see them in their own right, permanently.
   */
  facts: string;
  /** Present if the facts depend on the cause: the function gets it as its fifth argument. */
  factsOfCause?: true;
  /**
   * Name of the SQL function that selects the recipients: `app.<name>(organization, subject)` returns each `user_id`.
   * `ADMINS`: the organization's admins. Null: the caller of `notify` names the recipients.
   */
  recipients: string | null;
  /** Whether a mail with unknown outcome is sent again under the same Message-ID. */
  unknownMail: 'again' | 'never';
  /** Present if the recipients get an account notice by mail instead of the usual mail of this type. */
  mailedAsAccountNotice?: true;
  /** Present if a person who may not see the facts gets no row that says so. */
  skipsUnseen?: true;
  /** Present if pushes must not show its texts, because they are confidential. */
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

/**
 * Returns what to do with a mail whose outcome is unknown. If this release does not know the type, the mail is not sent
 * again.
 */
export const unknownMailOf = (name: string): NotificationType['unknownMail'] =>
  registry.get(name)?.unknownMail ?? 'never';
