import type { Row } from './access-row.ts'
import type { Conversation } from './fixture.ts'

const UNKNOWN = '0199a1de-0000-7000-8000-000000000000'
const all = (status: number) => ({
  private: [status, status, status, status] as [number, number, number, number],
  direct: [status, status] as [number, number],
})
const params = { groupId: UNKNOWN }
let count = 0

/** Calls about groups. People who may create groups manage all of them. */
export const groupRows: Record<string, Row> = {
  listGroups: { input: () => ({}), ...all(200), showsPeople: true },
  getGroup: { input: () => ({ params }), ...all(404) },
  createGroup: {
    input: () => ({ body: { username: `fresh-group-${count++}`, name: 'Fresh' } }),
    ...all(403),
    admin: 201,
  },
  updateGroup: { input: () => ({ params, body: { name: 'Other' } }), ...all(403), admin: 404 },
  deleteGroup: { input: () => ({ params }), ...all(403), admin: 404 },
  inviteGroup: {
    input: ({ channelId }: Conversation) => ({ params: { channelId }, body: { groupId: UNKNOWN } }),
    private: [404, 404, 404, 404],
    public: [403, 404, 403, 404],
    direct: [404, 403],
    guestMember: 403,
  },
}
