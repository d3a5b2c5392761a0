import { AuditLog } from '../audit-log/AuditLog';
import { usePlatformAuditLog, usePlatformAuditLogCsv } from '../audit-log/queries';

/** Who changed what on the platform, and when. */
export const LogTab = () => <AuditLog query={usePlatformAuditLog()} csv={usePlatformAuditLogCsv()} />;
