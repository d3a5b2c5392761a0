import { type Guards, isolate } from '../../isolation.js';

export const guards: Guards = {
  verified_domains: [isolate('SELECT, INSERT, DELETE')],
};
