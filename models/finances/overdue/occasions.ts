/** What a notice is about: an invoice on one of the dates that it was due. */
import type { notifyAll } from '../../notifications/notify.js';
import type { NotificationType } from '../../notifications/types.js';

export interface DueDate {
  invoice: string;
  /** YYYY-MM-DD; null: the first. */
  moved_to: string | null;
}

/** Facts of one kind: another due date of an invoice is another fact. */
export function factsOf(type: NotificationType, due: DueDate[]): Parameters<typeof notifyAll> {
  const dates = [...new Set(due.map(({ moved_to }) => moved_to))];
  return dates.map((date) => [
    type,
    due.filter(({ moved_to }) => moved_to === date).map(({ invoice }) => invoice),
    { cause: date === null ? type.cause : `${type.cause}:${date}` },
  ]);
}
