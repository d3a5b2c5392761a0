import Grid from '@cloudscape-design/components/grid';
import { useState } from 'react';
import { Announced } from '../../../parts/Announced';
import { Loaded } from '../../../parts/Loaded';
import { type Proposal, type Remittance, useProposal } from '../queries';
import { Check } from './Check';
import { Decide } from './Decide';
import { keyOf } from './lines';
import { ProposalTable } from './ProposalTable';

interface RepairProps {
  remittance: Remittance;
  /** Called with a sentence that says what was done. */
  onDone: (outcome: string) => void;
}

/** The proposal for a flagged remittance. When the API refuses it as stale, the new one is shown beside it. */
export function Repair({ remittance, onDone }: RepairProps) {
  const query = useProposal(remittance.id);
  const [refused, setRefused] = useState<Proposal | null>(null);
  return (
    <Loaded query={query}>
      {(proposal) => (
        <Proposed
          key={proposal.proposal_hash}
          remittance={remittance}
          proposal={proposal}
          earlier={refused && refused.proposal_hash !== proposal.proposal_hash ? refused : null}
          onDone={onDone}
          onStale={() => setRefused(proposal)}
        />
      )}
    </Loaded>
  );
}

interface ProposedProps extends RepairProps {
  proposal: Proposal;
  /** The proposal that was refused as stale. */
  earlier: Proposal | null;
  onStale: () => void;
}

/** One proposal, with the lines that the person has checked. */
function Proposed({ remittance, proposal, earlier, onDone, onStale }: ProposedProps) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void =>
    setChecked((before) => new Set(before.has(key) ? [...before].filter((other) => other !== key) : [...before, key]));
  const toCheck = proposal.changes.filter(({ reason }) => reason === 'other_member').map(keyOf);
  const table = (
    <ProposalTable
      title={earlier ? 'New proposal' : 'Proposal'}
      remittance={remittance}
      proposal={proposal}
      comparedTo={earlier}
      check={(line) =>
        toCheck.includes(keyOf(line)) && (
          <Check line={line} isChecked={checked.has(keyOf(line))} onToggle={() => toggle(keyOf(line))} />
        )
      }
    />
  );
  return (
    <>
      {earlier && (
        <Announced type="warning" header="The data has changed: this is a new proposal">
          Nothing was done. Compare the new proposal with the earlier one, then decide again.
        </Announced>
      )}
      {earlier ? (
        <Grid gridDefinition={[HALF, HALF]}>
          {table}
          <ProposalTable title="Earlier proposal" remittance={remittance} proposal={earlier} comparedTo={proposal} />
        </Grid>
      ) : (
        table
      )}
      <Decide
        remittance={remittance}
        proposal={proposal}
        unchecked={toCheck.filter((key) => !checked.has(key)).length}
        onDone={onDone}
        onStale={onStale}
      />
    </>
  );
}

const HALF = { colspan: { default: 12, m: 6 } } as const;
