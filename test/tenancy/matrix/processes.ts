import type { Matrix } from './people.js';

export const processes: Matrix = {
  process: {
    read: { platform: 'all', national: 'all', foundationAdmin: 'all' },
    retry: { platform: 'all', national: 'all', foundationAdmin: 'all' },
    cancel: { platform: 'all', national: 'all', foundationAdmin: 'all' },
  },
};
