/** Implements the operations of the contract's stand-in at its control port. */
import { ordered } from '../../support/cardStandin.js';
import type { Operations, StandinUnderTest } from './contract.js';

interface Standin {
  controlUrl: string;
  ledgerUrl: string;
  close(): Promise<unknown>;
}

type Common = Pick<StandinUnderTest, 'close' | 'lose' | 'recover' | 'concludeRefund' | 'moved'>;

interface AtControlPort {
  control: (path: string, body: unknown) => Promise<unknown>;
  common: Common;
  disputes: Pick<StandinUnderTest['disputes'], 'open' | 'decide'>;
}

/**
 * @param operations the names of each step in faults
 * @param charge the name of a charge in the order of a dispute
 */
export function atControlPort(standin: Standin, operations: Operations, charge = 'charge'): AtControlPort {
  const { controlUrl, ledgerUrl } = standin;
  const { order } = ordered('The stand-in', controlUrl);
  const control = (path: string, body: unknown) => order('POST', path, body);
  return {
    control,
    common: {
      close: () => standin.close(),
      lose: (step, when) =>
        control('/faults', { kind: `drop_${when}_capture`, operation: operations[step] ?? 'none', times: 9 }),
      recover: () => fetch(`${controlUrl}/faults`, { method: 'DELETE' }),
      concludeRefund: (refund, status) => control('/refunds', { refund, status }),
      moved: async () => (await (await fetch(ledgerUrl)).json()) as never,
    },
    disputes: {
      async open({ intentId, amountCents }) {
        const opened = await control('/disputes', {
          kind: 'dispute_open',
          [charge]: intentId,
          amount_cents: amountCents,
        });
        return (opened as { id: string }).id;
      },
      decide: (dispute, decision) => control('/disputes', { kind: `dispute_${decision}`, dispute }),
    },
  };
}
