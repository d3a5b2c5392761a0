/** The invoices to which the money of a flagged remittance goes, for any chapter. */
import fc from 'fast-check';
import {
  type OpenInvoice,
  placeMoney,
  type UnpaidAllocation,
} from '../../../models/finances/remittances/repair/placeMoney.js';

const invoice = (n: number) => `invoice-${n}`;
const chapter = fc.record({
  open: fc.array(
    fc.record({ n: fc.nat(14), member: fc.nat(4), day: fc.nat(5), balance: fc.integer({ min: 1, max: 500 }) }),
    { maxLength: 12 },
  ),
  shares: fc.array(fc.record({ n: fc.nat(14), member: fc.nat(4), cents: fc.integer({ min: 1, max: 500 }) }), {
    maxLength: 8,
  }),
  pairs: fc.array(fc.tuple(fc.nat(14), fc.nat(14)), { maxLength: 4 }),
  waiting: fc.integer({ min: 1, max: 4_000 }),
});

type Chapter = typeof chapter extends fc.Arbitrary<infer T> ? T : never;
function factsOf({ open, shares, pairs, waiting }: Chapter) {
  const invoices = new Map<string, OpenInvoice>(
    open.map(({ n, member, day, balance }) => [
      invoice(n),
      { id: invoice(n), membership: `member-${member}`, due_date: `2026-01-0${day + 1}`, balance_cents: balance },
    ]),
  );
  const own = new Map<string, UnpaidAllocation>(
    shares.map(({ n, member, cents }) => [
      invoice(n),
      {
        invoice: invoice(n),
        membership: invoices.get(invoice(n))?.membership ?? `member-${member}`,
        amount_cents: cents,
      },
    ]),
  );
  return {
    waitingCents: waiting,
    open: [...invoices.values()],
    shares: [...own.values()],
    replacements: new Map(pairs.map(([from, to]) => [invoice(from), invoice(to)])),
    members: new Set([...own.values()].map(({ membership }) => membership)),
  };
}
const sum = (cents: number[]) => cents.reduce((one, other) => one + other, 0);

test('each cent is placed once or stays unplaced, and no invoice gets more than its balance', () => {
  fc.assert(
    fc.property(chapter, (input) => {
      const facts = factsOf(input);
      const { placements, unplaced_cents } = placeMoney(facts);
      expect(sum(placements.map(({ amount_cents }) => amount_cents)) + unplaced_cents).toBe(facts.waitingCents);
      for (const { id, balance_cents } of facts.open) {
        const here = placements.filter((placement) => placement.invoice === id);
        expect(sum(here.map(({ amount_cents }) => amount_cents))).toBeLessThanOrEqual(balance_cents);
        // The balances of one invoice follow one another.
        let balance = balance_cents;
        for (const { amount_cents, balance_before_cents, balance_after_cents } of here) {
          expect([balance_before_cents, balance_after_cents]).toEqual([balance, balance - amount_cents]);
          balance = balance_after_cents;
        }
      }
      // Money stays unplaced only when no invoice has a balance left.
      if (unplaced_cents > 0)
        expect(sum(placements.map(({ amount_cents }) => amount_cents))).toBe(
          sum(facts.open.map(({ balance_cents }) => balance_cents)),
        );
      expect(placeMoney(facts)).toEqual({ placements, unplaced_cents });
    }),
    { numRuns: 2_000 },
  );
});

test('a valid allocation keeps its amount unless less money came than all valid allocations need', () => {
  fc.assert(
    fc.property(chapter, (input) => {
      const facts = factsOf(input);
      const due = new Map(facts.open.map(({ id, balance_cents }) => [id, balance_cents]));
      const valid = facts.shares.filter(({ invoice: id, amount_cents }) => (due.get(id) ?? 0) >= amount_cents);
      const { placements } = placeMoney(facts);
      const validCents = sum(valid.map(({ amount_cents }) => amount_cents));
      const matching = placements.filter(
        ({ reason, meant_for, invoice: to }) => meant_for === to && ['kept', 'shortened'].includes(reason),
      );
      for (const share of valid) {
        const of = matching.filter(({ invoice: to }) => to === share.invoice);
        if (validCents <= facts.waitingCents)
          expect(of).toMatchObject([{ amount_cents: share.amount_cents, reason: 'kept' }]);
        else expect(sum(of.map(({ amount_cents }) => amount_cents))).toBeLessThanOrEqual(share.amount_cents);
      }
      // Money with the reason same_member goes to an invoice of the member for whom it was meant.
      for (const { meant_for, reason, membership } of placements)
        if (reason === 'same_member' && meant_for)
          expect(facts.shares.find(({ invoice: id }) => id === meant_for)?.membership).toBe(membership);
    }),
    { numRuns: 2_000 },
  );
});

test('the allocation with the latest due date is shortened when there is too little money', () => {
  const open = ['03', '01', '02'].map((day, n) => ({
    id: invoice(n),
    membership: `member-${n}`,
    due_date: `2026-01-${day}`,
    balance_cents: 100,
  }));
  const shares = open.map(({ id, membership }) => ({ invoice: id, membership, amount_cents: 100 }));
  const { placements } = placeMoney({ waitingCents: 250, open, shares, replacements: new Map(), members: new Set() });
  expect(placements.map(({ invoice: to, amount_cents, reason }) => [to, amount_cents, reason])).toEqual([
    [invoice(1), 100, 'kept'],
    [invoice(2), 100, 'kept'],
    [invoice(0), 50, 'shortened'],
  ]);
});
