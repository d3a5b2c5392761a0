import Button from '@cloudscape-design/components/button';
import { useFilters } from '../../parts/useFilters';
import type { AuditEntry } from './queries';

/** The person who acted. A click shows all that this person did. */
export function Actor({ actor }: Pick<AuditEntry, 'actor'>) {
  const [, change] = useFilters();
  if (!actor) return <>The platform</>;
  const name = `${actor.first_name} ${actor.last_name}`.trim() || actor.email || 'Deleted account';
  return (
    <Button variant="inline-link" onClick={() => change({ actor: actor.id })}>
      {name}
    </Button>
  );
}
