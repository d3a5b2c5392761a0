import { useFilters } from '../../parts/useFilters';
import { AuditLog } from '../audit-log/AuditLog';
import { usePlatformAuditLog } from '../audit-log/queries';

/** Who changed what on the platform, and when. */
export function LogTab() {
  const [filters] = useFilters();
  return <AuditLog query={usePlatformAuditLog(filters)} />;
}
