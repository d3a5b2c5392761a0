import { Page } from '../../parts/Page';
import { Reload } from '../../parts/Reload';
import { useFilters } from '../../parts/useFilters';
import { AuditLog } from './AuditLog';
import { useAuditLog } from './queries';

/** Who changed what in the organization, and when. */
export function AuditLogScreen() {
  const [filters] = useFilters();
  const query = useAuditLog(filters);
  return (
    <Page title="Audit log" actions={<Reload query={query} />}>
      <AuditLog query={query} />
    </Page>
  );
}
