import type { Matrix } from './people.js';

const admins = { platform: 'all', national: 'all' } as const;
const managers = { ...admins, regional: 'own', officer: 'own', president: 'own' } as const;

const everybody = {
  ...admins,
  regional: 'all',
  officer: 'all',
  president: 'all',
  member: 'all',
  advisor: 'all',
  alumni: 'all',
} as const;
/** The person who proposed it. */
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

export const intake: Matrix = {
  'recruitment period': { read: everybody, read_statistics: admins, write: admins },
  'name assignment': { read: managers, propose: managers, withdraw: whoeverAsked, review: admins },
  'application form': { read: managers, configure: admins },
  'account provisioning': { read: admins, write: admins },
  'own provisioned account': { read: everybody, ask: everybody },
  'prospective member': { read: managers, write: managers, decide: admins },
};
