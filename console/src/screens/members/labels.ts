import type { Schema } from 'chapter-membership-client';

type Membership = Schema<'Membership'>;

export const STATUS_LABELS: Readonly<Record<Membership['status'], string>> = {
  undergrad: 'Undergraduate',
  associate: 'Associate',
  alumni: 'Alumni',
  active_alumni: 'Active alumni',
  lifetime_alumni: 'Lifetime alumni',
  pnm: 'Prospective',
  inactive: 'Inactive',
  disaffiliated: 'Disaffiliated',
};

export const ROLE_LABELS: Readonly<Record<Membership['role'], string>> = {
  member: 'Member',
  officer: 'Officer',
  president: 'President',
  advisor: 'Advisor',
  alumni: 'Alumni',
};

export const INVITATION_LABELS: Readonly<Record<Schema<'Invitation'>['state'], string>> = {
  open: 'Invited',
  expired: 'Invitation expired',
  declined: 'Invitation declined',
  withdrawn: 'Invitation withdrawn',
};
