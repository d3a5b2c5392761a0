import type { Matrix } from './people.js';

const admins = { platform: 'all', national: 'all' } as const;
const everybody = {
  ...admins,
  regional: 'all',
  officer: 'all',
  president: 'all',
  member: 'all',
  advisor: 'all',
  alumni: 'all',
} as const;
const overseers = { ...admins, regional: 'own' } as const;
const managers = { ...overseers, officer: 'own', president: 'own' } as const;

const whoeverAsked = {
  platform: 'self',
  national: 'self',
  regional: 'self',
  officer: 'self',
  president: 'self',
  member: 'self',
  advisor: 'self',
  alumni: 'self',
  former: 'self',
  prospective: 'self',
} as const;

export const organizations: Matrix = {
  organization: { read: everybody, update: admins, govern: { platform: 'all' } },
  'organization admin': { read: admins, write: admins },
  "member's password": { mail_reset: admins, set_temporary: admins },
  'member session': { read: admins, revoke: admins },
  region: { read: everybody, write: admins },
  'regional admin': { read: { ...admins, regional: 'all' }, write: admins },
  chapter: { read: everybody, update: overseers, govern: admins },
  'chapter advisor': {
    read: { ...managers, member: 'own', advisor: 'own', alumni: 'own' },
    write: managers,
  },
  term: { read: everybody, write: admins },
  'social post': { read: admins, write: admins },
  'OAuth configuration': { read: admins, write: admins, test: admins },
  'SAML configuration': { read: admins, write: admins, test: admins },
  'audit log': { read: admins },
  'refused sign-ins': { read: admins },
  impersonation: { start: { national: 'all' } },
  approvals: { read: managers },
  'account request': { read: admins, review: admins },
  'member add request': {
    read: managers,
    file: { platform: 'all', officer: 'own', president: 'own' },
    withdraw: whoeverAsked,
    review_regional: { platform: 'all', regional: 'own' },
    review_organization: admins,
  },
  'member search': { read: everybody, read_impersonable: { national: 'all' } },
  membership: {
    read: {
      ...admins,
      regional: 'own, self',
      officer: 'own, self',
      president: 'own, self',
      member: 'own, self',
      advisor: 'own, self',
      alumni: 'own, self',
      former: 'self',
      prospective: 'self',
    },
    read_contact: {
      ...admins,
      regional: 'own, self',
      officer: 'own, self',
      president: 'own, self',
      member: 'self',
      advisor: 'self',
      alumni: 'self',
      former: 'self',
      prospective: 'self',
    },
    read_history: {
      ...admins,
      regional: 'own, self',
      officer: 'own, self',
      president: 'own, self',
      member: 'self',
      advisor: 'self',
      alumni: 'self',
      former: 'self',
      prospective: 'self',
    },
    add: managers,
    update: managers,
    govern: overseers,
    decide: admins,
  },
};
