import type { Matrix } from './people.js';

const admins = { platform: 'all', national: 'all' } as const;
const managers = { ...admins, regional: 'own', officer: 'own', president: 'own' } as const;

export const intake: Matrix = {
  'prospective member': { read: managers, write: managers, decide: admins },
};
