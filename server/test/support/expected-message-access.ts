import { channel, forEveryone, forMembers, forReaders, message, type Row, thread } from './access-row.ts'
import { LINK } from './fixture.ts'

/** The id of nothing: items are only their person's, see later.test.ts. */
const NO_ID = '00000000-0000-7000-8000-000000000000'

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** Calls about messages, threads, reactions, link previews and pins. */
export const messageRows: Record<string, Row> = {
  listMessages: { input: channel, ...forReaders(200) },
  'listMessages around': {
    input: (conversation) => ({ ...channel(conversation), query: { around: conversation.replyId } }),
    ...forReaders(200),
  },
  readMessages: { input: ({ messageId }) => ({ body: { messageIds: [messageId] } }), ...forEveryone(200), isOwn: true },
  sendMessage: {
    input: ({ channelId }) => ({ body: { channelId, content: 'quartz sent @bob @channel' } }),
    ...forMembers(201),
    guestMember: 403,
  },
  'sendMessage in a thread': {
    input: ({ channelId, messageId }) => ({ body: { channelId, threadId: messageId, content: 'quartz' } }),
    ...forMembers(201),
  },
  editMessage: {
    input: (conversation) => ({ ...message(conversation), body: { content: 'quartz edited' } }),
    guestMember: 403,
    private: [404, 200, 404, 403],
    public: [403, 200, 403, 403],
    direct: [404, 200],
  },
  deleteMessage: { input: message, ...forMembers(204), guestMember: 403 },

  listThread: { input: thread, ...forReaders(200) },
  sendReply: {
    input: ({ messageId }) => ({ body: { parentMessageId: messageId, content: 'quartz replied @zed' } }),
    ...forMembers(201),
  },
  editReply: {
    input: ({ replyId }) => ({ params: { messageId: replyId }, body: { content: 'quartz edited' } }),
    guestMember: 403,
    private: [404, 200, 404, 403],
    public: [403, 200, 403, 403],
    direct: [404, 200],
  },
  'deleteMessage of a reply': {
    input: ({ replyId }) => ({ params: { messageId: replyId } }),
    ...forMembers(204),
    guestMember: 403,
  },
  listThreads: { input: () => ({}), ...forEveryone(200) },
  'listThreads with replies': { input: () => ({ query: { latestReplies: '2' } }), ...forEveryone(200) },
  readAllThreads: { input: () => ({}), ...forEveryone(200) },
  getThreadCursor: { input: thread, ...forMembers(200) },
  followThread: { input: thread, ...forMembers(200), isOwn: true },
  unfollowThread: { input: thread, ...forMembers(200), isOwn: true },

  listReactions: { input: message, ...forReaders(200) },
  addReaction: { input: (conversation) => ({ ...message(conversation), body: { emoji: '👀' } }), ...forMembers(200) },
  removeReaction: {
    input: ({ messageId }) => ({ params: { messageId, emoji: '🎉' } }),
    ...forMembers(200),
  },

  removeLinkPreview: {
    input: (conversation) => ({ ...message(conversation), query: { url: LINK } }),
    guestMember: 403,
    private: [404, 200, 404, 403],
    public: [403, 200, 403, 403],
    direct: [404, 200],
  },
  downloadPreviewPicture: { input: ({ pictureId }) => ({ params: { pictureId } }), ...forReaders(200) },

  listScheduled: { input: () => ({}), ...forEveryone(200) },
  scheduleMessage: {
    input: ({ channelId }) => ({ body: { channelId, content: 'quartz tomorrow @channel', sendAt: inAnHour() } }),
    ...forMembers(201),
    isOwn: true,
    guestMember: 403,
  },
  'scheduleMessage in a thread': {
    input: ({ channelId, messageId }) => ({
      body: { channelId, threadId: messageId, content: 'quartz tomorrow', sendAt: inAnHour() },
    }),
    ...forMembers(201),
    isOwn: true,
  },
  changeScheduled: {
    input: () => ({ params: { scheduledId: NO_ID }, body: { content: 'quartz' } }),
    ...forEveryone(404),
  },
  cancelScheduled: { input: () => ({ params: { scheduledId: NO_ID } }), ...forEveryone(404) },
  sendScheduled: { input: () => ({ params: { scheduledId: NO_ID } }), ...forEveryone(404) },

  listLater: { input: () => ({}), ...forEveryone(200) },
  listDone: { input: () => ({}), ...forEveryone(200) },
  addLater: { input: ({ messageId }) => ({ body: { messageId } }), ...forReaders(201), isOwn: true },
  readLaterMessages: {
    input: ({ messageId }) => ({ body: { messageIds: [messageId] } }),
    ...forEveryone(200),
    isOwn: true,
  },
  changeLater: { input: () => ({ params: { itemId: NO_ID }, body: { isDone: true } }), ...forEveryone(404) },
  removeLater: { input: () => ({ params: { itemId: NO_ID } }), ...forEveryone(404) },

  listVersions: { input: message, ...forReaders(200) },
  'listVersions of a reply': { input: ({ replyId }) => ({ params: { messageId: replyId } }), ...forReaders(200) },

  listPins: { input: channel, ...forReaders(200) },
  pinMessage: { input: message, ...forMembers(200) },
  unpinMessage: { input: message, ...forMembers(200) },
}
