import type { Matrix } from './people.js';

export const processes: Matrix = {
  process: {
    read: { platform: 'all', national: 'all', foundationAdmin: 'all' },
    retry: { platform: 'all', national: 'all', foundationAdmin: 'all' },
    cancel: { platform: 'all', national: 'all', foundationAdmin: 'all' },
  },
  'console summary': {
    read: { platform: 'all', national: 'all', regional: 'all', officer: 'all', president: 'all' },
    read_organization: { platform: 'all', national: 'all' },
  },
};
