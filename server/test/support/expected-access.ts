import { decodeJwt } from 'jose'
import { channel, forEveryone, forMembers, forReaders, message, type Row, thread } from './access-row.ts'
import { ownAccountRows } from './expected-account-access.ts'
import { groupRows } from './expected-group-access.ts'
import { importRows } from './expected-import-access.ts'
import { mailRows } from './expected-mail-access.ts'
import { messageRows } from './expected-message-access.ts'
import { peopleRows } from './expected-people-access.ts'
import { permissionRows } from './expected-permission-access.ts'
import { retentionRows } from './expected-retention-access.ts'
import type { Person } from './parley.ts'

/** Regardless of their conversations. */
const forGuests = (status: number) => ({ guest: status, guestMember: status })

const sessionOf = ({ token }: Person) => decodeJwt(token)['sid'] as string
let count = 0

/** One row for each call of the contract; further uses of a call add words to its name. */
export const rows: Record<string, Row> = {
  listChannels: { input: () => ({ query: { limit: '100' } }), ...forEveryone(200) },
  compareChannels: {
    input: ({ channelId }) => ({ body: { held: { [channelId]: '1' } } }),
    ...forEveryone(200),
    isOwn: true,
  },
  getPublicBucket: { input: () => ({}), ...forEveryone(200) },
  getChannel: { input: channel, ...forReaders(200) },
  createChannel: {
    input: () => ({ body: { name: `fresh ${count++}`, isPrivate: true } }),
    ...forEveryone(201),
    ...forGuests(403),
  },
  'createChannel with members': {
    input: (_, { zed }) => ({ body: { name: `fresh ${count++}`, members: [zed.id, 'nobody'] } }),
    ...forEveryone(404),
    ...forGuests(403),
  },
  updateChannel: {
    input: (conversation) => ({ ...channel(conversation), body: { topic: 'quartz topic' } }),
    private: [404, 403, 404, 200],
    public: [403, 403, 403, 200],
    direct: [404, 403],
  },
  deleteChannel: { input: channel, private: [404, 403, 404, 204], public: [403, 403, 403, 204], direct: [404, 403] },
  openDirectMessage: { input: (_, { cyd }) => ({ body: { userIds: [cyd.id, 'nobody'] } }), ...forEveryone(404) },

  listMembers: { input: channel, ...forReaders(200) },
  joinChannel: { input: channel, private: [404, 400, 404, 400], public: [200, 400, 200, 400], direct: [404, 400] },
  leaveChannel: { input: channel, private: [404, 204, 404, 400], public: [403, 204, 403, 400], direct: [404, 403] },
  inviteToChannel: {
    input: (conversation, { gus }) => ({ ...channel(conversation), body: { userId: gus.id } }),
    guestMember: 403,
    private: [404, 200, 404, 200],
    public: [403, 200, 403, 200],
    direct: [404, 403],
  },
  removeMember: {
    input: (conversation, { bob }) => ({ ...channel(conversation), body: { userId: bob.id } }),
    private: [404, 403, 404, 200],
    public: [403, 403, 403, 200],
    direct: [404, 403],
  },
  muteChannel: { input: channel, ...forMembers(204), isOwn: true },
  unmuteChannel: { input: channel, ...forMembers(204), isOwn: true },
  favoriteChannel: { input: channel, ...forMembers(204), isOwn: true },
  unfavoriteChannel: { input: channel, ...forMembers(204), isOwn: true },
  setChannelLevel: {
    input: (conversation) => ({ ...channel(conversation), body: { level: 'nothing' } }),
    ...forMembers(204),
    isOwn: true,
  },

  ...messageRows,

  readChannel: {
    input: (conversation) => ({ ...channel(conversation), body: { seq: 1 } }),
    ...forMembers(200),
    isOwn: true,
  },
  'readChannel unread': {
    input: (conversation) => ({ ...channel(conversation), body: { seq: 1, unread: true } }),
    ...forMembers(200),
    isOwn: true,
  },
  countNotifications: { input: () => ({}), ...forEveryone(200) },
  readAllChannels: { input: () => ({}), ...forEveryone(200) },
  unreadChannels: {
    input: ({ channelId, messageId }) => {
      const moved = { before: 0, lastReadSeq: 1, readVersion: 0 }
      return { body: { channels: [{ channelId, ...moved }], threads: [{ threadId: messageId, ...moved }] } }
    },
    ...forEveryone(200),
    isOwn: true,
  },
  readThread: {
    input: (conversation) => ({ ...thread(conversation), body: { seq: 1 } }),
    ...forMembers(200),
    isOwn: true,
  },

  listChanges: { input: (conversation) => ({ ...channel(conversation), query: { after: '0' } }), ...forReaders(200) },
  sync: {
    input: ({ channelId }, { epoch }) => ({ body: { epoch, revs: { [channelId]: 0 } } }),
    ...forEveryone(200),
    isOwn: true,
  },

  uploadFile: {
    input: ({ channelId }) => ({ body: { channelId, file: new Blob(['quartz']) } }),
    ...forMembers(201),
  },
  'uploadFile into the public bucket': {
    input: () => ({ body: { file: new Blob(['quartz']) } }),
    ...forEveryone(201),
    ...forGuests(404),
  },
  'sendMessage with a file': {
    input: ({ channelId, unsentId }) => ({ body: { channelId, content: '', fileIds: [unsentId] } }),
    guestMember: 400,
    private: [404, 201, 404, 400],
    public: [403, 201, 403, 400],
    direct: [404, 201],
  },
  'sendReply with a file': {
    input: ({ messageId, unsentId }) => ({ body: { parentMessageId: messageId, content: '', fileIds: [unsentId] } }),
    guestMember: 400,
    private: [404, 201, 404, 400],
    public: [403, 201, 403, 400],
    direct: [404, 201],
  },
  listFiles: { input: () => ({ query: { limit: '100' } }), ...forEveryone(200) },
  listChannelFiles: { input: channel, ...forReaders(200) },
  listUserFiles: { input: (_, { bob }) => ({ params: { userId: bob.id } }), ...forEveryone(200) },
  downloadFile: { input: ({ fileId }) => ({ params: { fileId, name: 'file.txt' } }), ...forReaders(200) },
  'downloadFile not sent yet': {
    input: ({ unsentId }) => ({ params: { fileId: unsentId, name: 'file.png' } }),
    guestMember: 404,
    private: [404, 200, 404, 404],
    public: [404, 200, 404, 404],
    direct: [404, 200],
  },
  downloadThumbnail: {
    input: ({ unsentId }) => ({ params: { fileId: unsentId } }),
    guestMember: 404,
    private: [404, 200, 404, 404],
    public: [404, 200, 404, 404],
    direct: [404, 200],
  },
  // Admins may delete files that everyone can read: see files.test.ts.
  deleteFile: {
    input: ({ fileId }) => ({ params: { fileId } }),
    private: [404, 204, 404, 403],
    direct: [404, 204],
    guestMember: 403,
  },
  'deleteFile not sent yet': {
    input: ({ unsentId }) => ({ params: { fileId: unsentId } }),
    guestMember: 404,
    private: [404, 204, 404, 404],
    public: [404, 204, 404, 404],
    direct: [404, 204],
  },

  search: { input: () => ({ query: { q: 'quartz' } }), ...forEveryone(200) },
  'search within': {
    input: ({ channelId }, { bob }) => ({
      query: { q: 'of', channelId, from: bob.id, after: '2026-01-01', limit: '50' },
    }),
    ...forEveryone(200),
  },
  'search by filters': {
    input: (_, { bob }) => ({ query: { q: `from:${bob.username} has:reaction`, type: 'message' } }),
    ...forEveryone(200),
  },

  listUsers: { input: () => ({}), ...forEveryone(200), showsPeople: true },
  getUser: {
    input: (_, { zed }) => ({ params: { userId: zed.id } }),
    ...forEveryone(200),
    guest: 404,
    showsPeople: true,
  },
  updateMe: { input: () => ({ body: {} }), ...forEveryone(200) },
  getFirstSteps: { input: () => ({}), ...forEveryone(200) },
  endWelcome: { input: () => ({}), ...forEveryone(204) },
  setStatus: { input: () => ({ body: { user_status: '🌴' } }), ...forEveryone(200) },
  changeRole: {
    input: (_, { gus }) => ({ params: { userId: gus.id }, body: { role: 'member' } }),
    ...forEveryone(403),
    admin: 204,
  },
  countOwnedChannels: { input: (_, { dan }) => ({ params: { userId: dan.id } }), ...forEveryone(403), admin: 200 },
  deactivateUser: { input: (_, { dan }) => ({ params: { userId: dan.id } }), ...forEveryone(403), admin: 204 },
  reactivateUser: { input: (_, { gus }) => ({ params: { userId: gus.id } }), ...forEveryone(403), admin: 204 },

  listSessions: { input: () => ({}), ...forEveryone(200) },
  // Sessions of others look like missing ones.
  endSession: { input: (_, { gus }) => ({ params: { sessionId: sessionOf(gus) } }), ...forEveryone(404) },
  getPassword: { input: () => ({}), ...forEveryone(200) },
  changePassword: {
    input: () => ({ body: { current: 'not the right one', new: 'another one' } }),
    ...forEveryone(400),
  },
  createPasswordReset: {
    input: (_, { zed }) => ({ params: { userId: zed.id } }),
    ...forEveryone(403),
    admin: 201,
  },
  endSessions: { input: () => ({ query: { except: 'current' } }), ...forEveryone(204) },
  listInvites: { input: () => ({}), ...forEveryone(403), admin: 200 },
  createInvite: { input: () => ({ body: { days: 1, maxUses: 1 } }), ...forEveryone(403), admin: 201 },
  revokeInvite: {
    input: () => ({ params: { inviteId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forEveryone(403),
    admin: 404,
  },
  getAssistant: { input: () => ({}), ...forEveryone(200) },
  fileLimits: { input: () => ({}), ...forEveryone(200) },
  // No answer is being written here; assistant/model.test.ts stops some.
  stopAnswer: { input: ({ messageId }) => ({ body: { messageId } }), ...forMembers(204) },
  // There is no speech provider here; speech.test.ts has one.
  speakMessage: { input: message, ...forReaders(409) },
  listAudit: { input: () => ({}), ...forEveryone(403), admin: 200, showsPeople: true, showsNames: true },
  downloadAudit: { input: () => ({}), ...forEveryone(403), admin: 200, showsPeople: true, showsNames: true },
  listExports: { input: () => ({}), ...forEveryone(200) },
  // Used once each: nobody can have two exports at a time.
  createExport: { input: () => ({ body: { scope: 'workspace' } }), private: [403, 403, 403, 403], admin: 201 },
  'createExport of a channel': {
    input: ({ channelId }) => ({ body: { scope: 'channel', channelId } }),
    private: [404, 403, 404, 201],
  },
  deleteExport: {
    input: () => ({ params: { exportId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forEveryone(404),
  },
  downloadExport: {
    input: () => ({ params: { exportId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forEveryone(404),
  },
  ...importRows,
  ...ownAccountRows,
  ...mailRows,
  ...groupRows,
  ...peopleRows,
  ...permissionRows,
  ...retentionRows,
  listAccounts: { input: () => ({}), ...forEveryone(403), admin: 200, showsPeople: true },
}
