import type { Matrix } from './people.js';

/** Everybody who belongs to the organization reads and edits their own. */
const everybody = {
  platform: 'all',
  national: 'all',
  regional: 'all',
  officer: 'all',
  president: 'all',
  member: 'all',
  advisor: 'all',
  alumni: 'all',
} as const;

const admins = { platform: 'all', national: 'all' } as const;

export const notifications: Matrix = {
  'own notifications': { read: everybody, write: everybody },
  'own notification preferences': { read: everybody, write: everybody },
  'explanation of notifications': { read: everybody, read_others: { platform: 'all', national: 'all' } },
  'own quiet hours': { read: everybody, write: everybody },
  'own digests': { read: everybody, write: everybody },
  'notification settings': { read: admins, write: admins },
  'email configuration': { read: admins, write: admins, test: admins },
  'mail suppressions': { read: admins, write: admins },
};
