/**
 * What people can be told. A notification type says everything about itself, in the area whose facts it tells of; that area
 * then tells it in one line, in the transaction that makes it true (`notify.ts`):
 *
 *     export const told = defineNotifications({ invoice_issued: { event: 'invoice_issued', … } });
 *     await notify(told.invoice_issued, [invoice.id]);
 */
import type { EventType } from './eventTypes.js';

interface Wording {
  event: EventType;
  /** Who is told, in words: the docs have a table of it. */
  who: string;
  /** What it is about: the kind of row that `subject_id` names. */
  subject: string;
  /** What happened to it: with the subject this is the fact, of which each person is told once. */
  cause: string;
  /** Up to 200 characters; `{name}` stands for a fact. */
  title: string;
  /** Up to 500. */
  body: string;
  /** A path of ours that shows it. `{subject}` is its id. */
  path: string;
  /** What its reader is asked to do; null: nothing. */
  action: string | null;
  /** False for what reaches somebody who has no access: what tells of losing it, what they are billed. */
  needsAccess: boolean;
  /**
   * SQL of a jsonb object with the facts that the texts name, or NULL where the recipient may not see them or they are true
   * no more. Asked when a notification is made and again when it is delivered. In it `n` has organization_id, subject_id,
   * recipient_id and actor_id. Amounts are facts of `app.money_fact`: phones show none. `office_of` is the chapter, or the
   * organization, through whose office the recipient may see it; without it they see it in their own right, for good.
   */
  facts: string;
  /** SQL of a query for the `user_id` of whoever is told; `s` has organization_id and subject_id. Null: the caller says whom. */
  recipients: string | null;
  /** When nobody knows whether its mail was sent: again, under the same Message-ID, or never. */
  unknownMail: 'again' | 'never';
  /** Its mail goes out as an account notice. */
  mailedAsAccountNotice?: true;
  /** Its texts are for those in the room: a push shows none of them. */
  secluded?: true;
}

export interface NotificationType extends Readonly<Wording> {
  readonly name: string;
}

const registry = new Map<string, NotificationType>();

/** Declares an area's types. @returns each with its name */
export function defineNotifications<Name extends string>(table: Record<Name, Wording>): Record<Name, NotificationType> {
  const types = Object.entries<Wording>(table).map(([name, wording]) => [name, { name, ...wording }] as const);
  for (const [name, type] of types) registry.set(name, type);
  return Object.fromEntries(types) as Record<Name, NotificationType>;
}

/** All types of the areas that are loaded. */
export const allTypes = (): readonly NotificationType[] => [...registry.values()];

/** @throws Error for a name that no area has */
export function typeNamed(name: string): NotificationType {
  const type = registry.get(name);
  if (!type) throw new Error(`There is no notification type ${name}.`);
  return type;
}

/** What becomes of a mail of which nobody knows whether it was sent; of a type of a newer release the careful answer. */
export const unknownMailOf = (name: string): NotificationType['unknownMail'] =>
  registry.get(name)?.unknownMail ?? 'never';
