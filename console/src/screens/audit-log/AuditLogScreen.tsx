import { Page } from '../../parts/Page';
import { Reload } from '../../parts/Reload';
import { AuditLog } from './AuditLog';
import { useAuditLog, useAuditLogCsv } from './queries';

/** Who changed what in the organization, and when. */
export function AuditLogScreen() {
  const query = useAuditLog();
  return (
    <Page title="Audit log" actions={<Reload query={query} />}>
      <AuditLog query={query} csv={useAuditLogCsv()} />
    </Page>
  );
}
