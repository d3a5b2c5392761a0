import type { Invoice } from '../queries';

export type ActionName = Invoice['actions'][number]['action'];

/** The actions with what each does. The API says which of them are offered, and why one is not possible. */
export const ACTIONS: Readonly<Record<ActionName, { label: string; effect: string }>> = {
  refund: { label: 'Refund', effect: 'Returns money to the payer. What is refunded is due again.' },
  credit: { label: 'Pay from credit', effect: 'Uses credit that the payer has. No money moves.' },
  fee: { label: 'Add a fee', effect: 'Adds a line. A paid invoice is due again.' },
  waiver: { label: 'Waive a part', effect: 'Reduces what is due. No money moves.' },
  regenerate: {
    label: 'Issue again',
    effect: 'Voids the invoice, and issues the dues with the present members and rates. A preview comes first.',
  },
  void: { label: 'Void', effect: 'Nothing is due any more. What was paid becomes credit of the payer.' },
};

/** The observed result of an action, with a link to the screen that shows it. */
export interface Outcome {
  type: 'success' | 'info' | 'error';
  text: string;
  /** Path and label of the screen that shows the result. */
  link?: { href: string; text: string };
}
