import type { Matrix } from './people.js';

/** People who appoint the people of the foundation. Without a role of their own they see no gifts. */
const organizationAdmins = { platform: 'all', national: 'all' } as const;
const admins = { foundationAdmin: 'all' } as const;
const editors = { ...admins, foundationEditor: 'all' } as const;
const everybody = {
  ...organizationAdmins,
  ...editors,
  regional: 'all',
  officer: 'all',
  president: 'all',
  member: 'all',
  advisor: 'all',
  alumni: 'all',
} as const;

export const foundation: Matrix = {
  'foundation settings': {
    read: { ...organizationAdmins, ...admins },
    create: organizationAdmins,
    change: admins,
  },
  'foundation admin': { read: { ...organizationAdmins, ...admins }, write: { ...organizationAdmins, ...admins } },
  'foundation payment processor': { read: admins, write: admins },
  fund: { read: editors, write: admins },
  campaign: { read: editors, write: admins },
  'foundation bulletin': { read: editors, write: admins },
  receipt: { read: editors, resend: admins },
  'annual receipt': { read: editors, issue: admins },
  'internal campaign': { read: everybody, give: everybody },
  donation: { read: editors, record: editors, refund: admins, export: admins },
  donor: { read: admins, write: admins, erase: admins },
  'own donor': { read: everybody, write: everybody },
  'recurring pledge': { read: editors, write: admins },
  'unmatched payment of a gift': { read: admins, resolve: admins },
  'money case of gifts': { read: admins, resolve: admins },
};
