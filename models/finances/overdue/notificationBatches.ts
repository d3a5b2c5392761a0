/**
 * Groups notifications about due dates by date. Each date is a separate cause, so that an invoice whose due date was
 * moved is notified again.
 */
import type { notifyAll } from '../../notifications/notify.js';
import type { NotificationType } from '../../notifications/types.js';

export interface DueDate {
  invoice: string;
  /** The due date, YYYY-MM-DD, if it was moved; null for the original due date. */
  moved_to: string | null;
}

/** Builds the arguments of `notifyAll`, one group per due date. */
export function groupByDueDate(type: NotificationType, due: DueDate[]): Parameters<typeof notifyAll> {
  const dates = [...new Set(due.map(({ moved_to }) => moved_to))];
  return dates.map((date) => [
    type,
    due.filter(({ moved_to }) => moved_to === date).map(({ invoice }) => invoice),
    { cause: date === null ? type.cause : `${type.cause}:${date}` },
  ]);
}
