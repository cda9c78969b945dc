import type { Row } from './access-row.ts'
import type { Conversation, People } from './fixture.ts'

const forAdmins = (status: number) => ({
  private: [403, 403, 403, 403] as [number, number, number, number],
  direct: [403, 403] as [number, number],
  admin: status,
})
const UNKNOWN = '0199a1de-0000-7000-8000-000000000000'
const channel = ({ channelId }: Conversation) => ({ params: { channelId } })

/** Calls about permissions, archives and moderation. */
export const permissionRows: Record<string, Row> = {
  getPermissions: { input: () => ({}), ...forAdmins(200) },
  setPermissions: { input: () => ({ body: {} }), ...forAdmins(200) },
  renameWorkspace: { input: () => ({ body: { name: 'quartz' } }), ...forAdmins(200) },
  getSignUp: { input: () => ({}), ...forAdmins(200) },
  setSignUp: { input: () => ({ body: { signUp: 'open' } }), ...forAdmins(200) },
  getLinkPreviewRule: { input: () => ({}), ...forAdmins(200) },
  setLinkPreviewRule: { input: () => ({ body: { isOn: true } }), ...forAdmins(409) },
  setWorkspaceLevel: { input: () => ({ body: { level: 'mentions' } }), ...forAdmins(200) },
  setEditHistory: { input: () => ({ body: { isOn: true } }), ...forAdmins(200) },
  getDemo: { input: () => ({}), ...forAdmins(200) },
  fillDemo: { input: () => ({}), ...forAdmins(409) },
  emptyDemo: { input: () => ({}), ...forAdmins(204) },
  setUpWorkspace: { input: () => ({ body: {} }), ...forAdmins(204) },
  listManagedChannels: { input: () => ({}), ...forAdmins(200), showsPeople: true },
  listPrivateChannels: { input: () => ({ body: { listsPrivate: false } }), ...forAdmins(204) },
  countAudience: {
    input: channel,
    private: [404, 200, 404, 200],
    public: [403, 200, 403, 200],
    direct: [404, 200],
  },
  addPoster: {
    input: (conversation, { bob }: People) => ({ params: { ...channel(conversation).params, userId: bob.id } }),
    private: [404, 403, 404, 200],
    public: [403, 403, 403, 200],
    direct: [404, 403],
  },
  removePoster: {
    input: (conversation, { bob }: People) => ({ params: { ...channel(conversation).params, userId: bob.id } }),
    private: [404, 403, 404, 200],
    public: [403, 403, 403, 200],
    direct: [404, 403],
  },
  // Admins may archive public channels: see managed-channels.test.ts.
  archiveChannel: { input: channel, private: [404, 403, 404, 200], direct: [404, 403] },
  restoreChannel: { input: channel, private: [404, 403, 404, 200], direct: [404, 403] },
  deleteArchivedChannel: { input: channel, private: [404, 403, 404, 403], direct: [404, 403] },
  reportMessage: {
    input: ({ messageId }) => ({ params: { messageId }, body: { reason: 'quartz' } }),
    private: [404, 403, 404, 204],
    public: [204, 403, 204, 204],
    direct: [404, 403],
    guestMember: 204,
  },
  listReports: { input: () => ({}), ...forAdmins(200), showsPeople: true, showsReported: true },
  closeReport: { input: () => ({ params: { reportId: UNKNOWN }, body: {} }), ...forAdmins(404) },
  mutePerson: {
    input: (_, { dan }: People) => ({ params: { userId: dan.id }, body: { hours: 1 } }),
    ...forAdmins(204),
  },
  unmutePerson: { input: (_, { dan }: People) => ({ params: { userId: dan.id } }), ...forAdmins(204) },
  // Only guests have an end date.
  setGuestEnd: {
    input: (_, { gem }: People) => ({ params: { userId: gem.id }, body: { days: 30 } }),
    ...forAdmins(204),
  },
  listProvisioningTokens: { input: () => ({}), ...forAdmins(200) },
  createProvisioningToken: { input: () => ({ body: { name: 'quartz' } }), ...forAdmins(201) },
  revokeProvisioningToken: { input: () => ({ params: { tokenId: UNKNOWN } }), ...forAdmins(404) },
  listBlocks: { input: () => ({}), private: [200, 200, 200, 200], direct: [200, 200], showsPeople: true },
  blockPerson: {
    input: (_, { zed }: People) => ({ params: { userId: zed.id } }),
    private: [204, 204, 204, 204],
    guest: 404,
  },
  unblockPerson: {
    input: (_, { zed }: People) => ({ params: { userId: zed.id } }),
    private: [204, 204, 204, 204],
    direct: [204, 204],
  },
}
