import type { Row } from './access-row.ts'
import { type Conversation, type People, PICTURE } from './fixture.ts'

const all = (status: number) => ({
  private: [status, status, status, status] as [number, number, number, number],
  direct: [status, status] as [number, number],
})
let added = 0

/** Calls about people: their pictures, cards and availability, and the workspace's emoji. */
export const peopleRows: Record<string, Row> = {
  setAvatar: { input: () => ({ body: { file: new Blob([PICTURE]) } }), ...all(200) },
  removeAvatar: { input: () => ({}), ...all(204) },
  // avatars.test.ts covers access to pictures.
  downloadAvatar: {
    input: (_: Conversation, { zed }: People) => ({
      params: { userId: zed.id, hash: '0'.repeat(32), size: '48' },
    }),
    ...all(404),
  },
  listEmoji: { input: () => ({}), ...all(200), showsPeople: true },
  addEmoji: {
    input: () => ({ params: { name: `merry-${added++}` }, body: { file: new Blob([PICTURE]) } }),
    ...all(201),
    guest: 403,
    guestMember: 403,
  },
  addEmojiAlias: {
    input: () => ({ params: { name: 'nothing' }, body: { alias: 'nil' } }),
    ...all(404),
    guest: 403,
    guestMember: 403,
  },
  removeEmoji: { input: () => ({ params: { name: 'nothing' } }), ...all(404) },
  // Everybody may see them; custom-emoji.test.ts covers it.
  downloadEmoji: { input: () => ({ params: { hash: '0'.repeat(32), form: 'still' } }), ...all(404) },
  getPersonCard: {
    input: (_: Conversation, { zed }: People) => ({ params: { userId: zed.id } }),
    ...all(200),
    guest: 404,
    showsPeople: true,
  },
  updateMyCard: { input: () => ({ body: {} }), ...all(200) },
  getAvailability: { input: () => ({}), ...all(200) },
  setAvailability: { input: () => ({ body: { availability: 'away' } }), ...all(200) },
  listProfileFields: { input: () => ({}), ...all(200) },
  setProfileFields: { input: () => ({ body: { fields: [{ id: 'title', label: null }] } }), ...all(403), admin: 200 },
}
