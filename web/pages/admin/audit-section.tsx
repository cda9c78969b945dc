import { AuditLog } from '../../features/audit/audit-log.tsx'

/** The audit log. Lazy-loaded. */
export default function AuditSection() {
  return <AuditLog />
}
