import type { Row } from './access-row.ts'

/** Members are refused. */
const forAdmins = {
  private: [403, 403, 403, 403] as [number, number, number, number],
  direct: [403, 403] as [number, number],
}

/** Calls about retention, holds and the ages of the audit log. */
export const retentionRows: Record<string, Row> = {
  getRetention: { input: () => ({}), ...forAdmins, admin: 200 },
  previewRetention: { input: () => ({ body: { days: 3650 } }), ...forAdmins, admin: 200 },
  'previewRetention of a channel': {
    input: ({ channelId }) => ({ body: { days: 3650, channelId } }),
    ...forAdmins,
    admin: 404,
  },
  setRetention: { input: () => ({ body: { days: null } }), ...forAdmins, admin: 200 },
  'setRetention of a channel': {
    input: ({ channelId }) => ({ body: { days: 3650, channelId } }),
    ...forAdmins,
    admin: 404,
  },
  getAuditAges: { input: () => ({}), ...forAdmins, admin: 200 },
  setAuditAges: { input: () => ({ body: { days: 400, addressDays: 90 } }), ...forAdmins, admin: 200 },
  placeHold: { input: ({ channelId }) => ({ body: { channelId } }), ...forAdmins, admin: 404 },
  liftHold: {
    input: () => ({ params: { holdId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forAdmins,
    admin: 404,
  },
}
