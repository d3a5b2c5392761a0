/** The fields of the settings, each with how it is shown and read. */
import { amountText, parseCents } from '../../parts/Cents';
import type { DuesSettings } from './queries';

export type FieldName = Exclude<keyof DuesSettings, 'version' | 'currency'>;

interface Described {
  name: FieldName;
  label: string;
  hint?: string;
}

export type Field = Described &
  (
    | { kind: 'flag' }
    | { kind: 'choice'; choices: Readonly<Record<string, string>> }
    | { kind: 'number' | 'cents' | 'units' | 'days' }
  );

export const GROUPS: readonly { title: string; fields: readonly Field[] }[] = [
  {
    title: 'Billing',
    fields: [
      {
        name: 'billing_mode',
        label: 'Who pays',
        kind: 'choice',
        choices: { bill_chapter: 'Chapters', bill_member: 'Members' },
      },
      {
        name: 'refund_cap_per_officer',
        label: 'Refund without approval, at most',
        hint: 'What an officer refunds above it is decided by an administrator.',
        kind: 'units',
      },
      { name: 'officers_see_amounts', label: 'Officers see amounts', kind: 'flag' },
    ],
  },
  {
    title: 'Reminders',
    fields: [
      {
        name: 'reminder_days_before',
        label: 'Days before the due date',
        hint: 'For example 7, 1. Empty: none.',
        kind: 'days',
      },
      { name: 'dunning_interval_days', label: 'Days between reminders of an overdue invoice', kind: 'number' },
      { name: 'dunning_max', label: 'Reminders of an overdue invoice, at most', hint: '0: none.', kind: 'number' },
    ],
  },
  {
    title: 'Payment plans',
    fields: [
      { name: 'payment_plans_enabled', label: 'Payers may ask for payment plans', kind: 'flag' },
      {
        name: 'plan_requesters',
        label: 'Who may ask',
        kind: 'choice',
        choices: { members: 'Members', officers: 'Officers', members_and_officers: 'Members and officers' },
      },
      { name: 'plan_max_installments', label: 'Installments, at most', kind: 'number' },
      { name: 'plan_max_duration_days', label: 'Days, at most', kind: 'number' },
      { name: 'plan_min_first_payment_cents', label: 'First payment, at least', kind: 'cents' },
      { name: 'auto_approve_within_limits', label: 'Approve requests within these limits at once', kind: 'flag' },
      { name: 'plan_regional_approval', label: 'Regional administrators may decide as well', kind: 'flag' },
    ],
  },
];

export const FIELDS = GROUPS.flatMap(({ fields }) => fields);

type Value = DuesSettings[FieldName];

/** Returns the text of a value, as a person types it. */
export function textOf({ kind }: Field, value: Value, currency: string): string {
  if (value === null) return '';
  if (kind === 'cents') return amountText(value as number, currency);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Reads a typed text. A text that is no number is sent as it is, so that the API refuses it at its field. */
export function valueOf({ kind }: Field, text: string, currency: string): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'choice') return text;
  if (kind === 'cents') return parseCents(text, currency) ?? text;
  if (kind === 'days')
    return text
      .split(',')
      .filter((day) => day.trim() !== '')
      .map(numberOf);
  return numberOf(text.replace(',', '.'));
}

const numberOf = (text: string): number | string => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text);
