/** Values that an approval needs besides its notes, by queue. */
import type { Schema } from 'chapter-membership-client';
import { ROLE_LABELS, STATUS_LABELS } from '../members/labels';

export type ReviewValues = Record<string, unknown>;

export interface ReviewField {
  name: string;
  label: string;
  control: 'choice' | 'check' | 'number' | 'chapter' | 'person';
  /** Values of a choice with their labels. The first is the default. */
  options?: Readonly<Record<string, string>>;
  /** Whether the field is shown. Fields that are not shown are not sent. */
  isShown?: (values: ReviewValues) => boolean;
}

const creates = ({ mode }: ReviewValues): boolean => mode === 'create';
const links = ({ mode }: ReviewValues): boolean => mode === 'link';

export const REVIEW_FIELDS: Readonly<Partial<Record<Schema<'PendingApproval'>['kind'], ReviewField[]>>> = {
  account: [
    {
      name: 'mode',
      label: 'What the approval does',
      control: 'choice',
      options: { create: 'Adds a member, who is invited', link: 'Adds the address to the account of a member' },
    },
    { name: 'chapter', label: 'Chapter', control: 'chapter', isShown: creates },
    { name: 'status', label: 'Status', control: 'choice', options: STATUS_LABELS, isShown: creates },
    { name: 'role', label: 'Role', control: 'choice', options: ROLE_LABELS, isShown: creates },
    {
      name: 'confirm_distinct',
      label: 'It is another person than the members with a similar name',
      control: 'check',
      isShown: creates,
    },
    { name: 'user', label: 'Member', control: 'person', isShown: links },
    {
      name: 'confirm_name_mismatch',
      label: 'It is the same person, although the names differ. The notes say why',
      control: 'check',
      isShown: links,
    },
  ],
  member_add: [
    { name: 'status', label: 'Status', control: 'choice', options: { '': 'Default of the role', ...STATUS_LABELS } },
  ],
  pnm_name: [
    {
      name: 'membership_status',
      label: 'Status after the crossing',
      control: 'choice',
      options: { undergrad: STATUS_LABELS.undergrad, associate: STATUS_LABELS.associate },
    },
    { name: 'line_number', label: 'Line number', control: 'number' },
    { name: 'confirm_taken', label: 'Another person of the chapter may have the same name', control: 'check' },
  ],
  refund: [{ name: 'waive', label: 'Waive the amount that the refund makes due again', control: 'check' }],
};

/** Returns the values to send: those of the fields that are shown and have a value. */
export function valuesToSend(fields: readonly ReviewField[], given: ReviewValues): ReviewValues {
  const values = withDefaults(fields, given);
  const shown = fields.filter(({ isShown }) => isShown?.(values) ?? true);
  const entries = shown.map(({ name, control }): [string, unknown] => [
    name,
    control === 'number' && values[name] ? Number(values[name]) : values[name],
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
}

export const withDefaults = (fields: readonly ReviewField[], given: ReviewValues): ReviewValues => ({
  ...Object.fromEntries(fields.map(({ name, options }) => [name, options && Object.keys(options)[0]])),
  ...given,
});
