import type { Matrix } from './people.js';

const admins = { platform: 'all', national: 'all' } as const;
const officers = { ...admins, officer: 'own', president: 'own' } as const;
const overseers = { ...admins, regional: 'own' } as const;
/** Roles that read about others, and everybody about themselves. */
const themselves = { member: 'self', advisor: 'self', alumni: 'self', former: 'self', prospective: 'self' } as const;
const payersAndOverseers = {
  ...admins,
  regional: 'own, self',
  officer: 'self',
  president: 'self',
  ...themselves,
} as const;
const everybody = {
  ...admins,
  regional: 'all',
  officer: 'all',
  president: 'all',
  member: 'all',
  advisor: 'all',
  alumni: 'all',
} as const;

/** Each person about themselves, with any role. */
const whoeverAsked = {
  ...themselves,
  platform: 'self',
  national: 'self',
  regional: 'self',
  officer: 'self',
  president: 'self',
} as const;

export const finances: Matrix = {
  'dues settings': { read: { ...admins, regional: 'all', officer: 'all', president: 'all' }, write: admins },
  amounts: { always_see: payersAndOverseers, see_as_officer: { platform: 'all', officer: 'own', president: 'own' } },
  'dues rate': { read: admins, write: admins },
  'dues run': { read: admins, write: admins },
  'billing override': { read: admins, write: admins },
  'payment processor': { read: admins, write: admins },
  'plan request': {
    review: overseers,
    read_bulk: { ...whoeverAsked, ...admins },
    ask_for_anybody: admins,
    ask_for_member: { platform: 'all', officer: 'own', president: 'own' },
    list_asked: { platform: 'all', officer: 'all', president: 'all' },
    own: whoeverAsked,
  },
  'payment plan': {
    list: admins,
    cancel: admins,
    reconcile: officers,
    read: { ...admins, regional: 'own, self', officer: 'own, self', president: 'own, self', ...themselves },
    own: whoeverAsked,
  },
  'good standing': { own: whoeverAsked },
  'money case': { read: admins, resolve: admins },
  reconciliation: { read: admins },
  'dues report': { read: overseers },
  'ledger check': { read: admins, write: admins },
  dispute: { read: admins },
  reminder: { read: admins },
  'unmatched payment': { read: admins, resolve: admins },
  credit: { read: overseers, explain: payersAndOverseers, list_shortfalls: admins, refund: admins },
  invoice: {
    read: { ...admins, regional: 'own, self', officer: 'own, self', president: 'own, self', ...themselves },
    see_discount_notes: { ...admins, regional: 'own, self', ...themselves },
    void: admins,
    regenerate: admins,
    adjust: officers,
    discount: admins,
    remind: { ...overseers, officer: 'own', president: 'own' },
    refund: officers,
  },
  'invoice export': {
    read: { ...overseers, officer: 'own', president: 'own' },
    write: { ...overseers, officer: 'own', president: 'own' },
  },
  'collection roster': {
    read: { ...overseers, officer: 'own', president: 'own' },
  },
  'refund request': {
    list: { ...admins, officer: 'all', president: 'all' },
    read: { ...whoeverAsked, ...admins },
    withdraw: whoeverAsked,
    review: admins,
  },
  'own billing': {
    read: everybody,
    read_ledger: {
      platform: 'self',
      national: 'self',
      regional: 'self',
      officer: 'self',
      president: 'self',
      ...themselves,
    },
  },
  'invoice payment': {
    pay: { ...admins, regional: 'self', officer: 'own, self', president: 'own, self', ...themselves },
  },
  remittance: { read: officers, create: officers, pay: officers, resolve: officers, refund_unplaced: admins },
};
