import type { Row } from './access-row.ts'

const forEveryone = (status: number) => ({
  private: [status, status, status, status] as [number, number, number, number],
  direct: [status, status] as [number, number],
})
/** There is no mail server, which is only revealed to people who may invite. */
const forInviters = { ...forEveryone(403), admin: 404 }

/** Calls that send mail, or describe what is sent. */
export const mailRows: Record<string, Row> = {
  mailInvites: { input: () => ({ body: { emails: ['somebody@example.com'] } }), ...forInviters },
  mailInviteAgain: {
    input: () => ({ params: { inviteId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forInviters,
  },
  getEmail: { input: () => ({}), ...forEveryone(200) },
  changeEmail: {
    input: () => ({ body: { email: 'somebody@example.com', password: 'not the right one' } }),
    ...forEveryone(404),
  },
  cancelEmail: { input: () => ({}), ...forEveryone(204) },
  getHealth: { input: () => ({}), ...forEveryone(403), admin: 200 },
  listStorage: { input: () => ({ query: { by: 'channel' } }), ...forEveryone(403), admin: 200 },
  listSettings: { input: () => ({}), ...forEveryone(403), admin: 200 },
  getMailRules: { input: () => ({}), ...forEveryone(200) },
  getNotificationSettings: { input: () => ({}), ...forEveryone(200) },
  setNotificationSettings: { input: () => ({ body: { level: 'everything' } }), ...forEveryone(200) },
  changeKeywords: { input: () => ({ body: { add: ['launch'] } }), ...forEveryone(200) },
  setMailRules: { input: () => ({ body: { digest: false } }), ...forEveryone(200) },
  sendConfirmation: { input: () => ({}), ...forEveryone(404) },
}
