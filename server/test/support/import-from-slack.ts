import { afterEach, beforeEach } from 'vitest'
import { atEnd } from './cleanup.ts'
import { channelOf, importsOf, messagesOf } from './imported-workspace.ts'
import { startParley } from './parley.ts'
import { startSlack } from './slack-site.ts'

/** A Parley that imports from a Slack on loopback. After each test, what it imported is undone. */
export async function startImportFromSlack() {
  const slack = await startSlack()
  atEnd(slack.close)
  const parley = await startParley(slack.settings)
  const people = await parley.people('olga', 'eve')
  const { olga } = people
  const { newest, until, uploaded } = importsOf(parley, olga)

  beforeEach(() => {
    slack.answers.clear()
    slack.files.clear()
    slack.requests.length = 0
    for (const name of Object.keys(slack.emoji)) delete slack.emoji[name]
    for (const scope of ['files:read', 'emoji:read']) slack.scopes.add(scope)
  })
  afterEach(async () => {
    const open = await newest()
    if (!open || ['accepted', 'undone', 'cancelled'].includes(open.state)) return
    await olga.delete(`/api/imports/${open.id}`)
    await until(open.state === 'ready' ? 'cancelled' : 'undone')
  })

  return {
    ...people,
    parley,
    slack,
    newest,
    until,
    uploaded,
    start: async (body: object = {}) => olga.post(`/api/imports/${(await newest()).id}/start`, body),
    retry: async (body: object = {}) => olga.post(`/api/imports/${(await newest()).id}/retry`, body),
    /** The text of each imported message, and the names of its files. */
    async shown() {
      const channel = await channelOf(olga, 'design')
      const messages = (await messagesOf(olga, channel?.id)) as { content: string; files: { name: string }[] }[]
      return messages.map(({ content, files }) => [content, files.map(({ name }) => name)])
    },
  }
}

/** An export with a channel of these messages. */
export const exported = (...messages: { text?: string; files?: object[]; reactions?: object[] }[]) => ({
  'users.json': '[{"id":"U1","name":"mia"}]',
  'channels.json': '[{"id":"C1","name":"design","members":["U1"]}]',
  'design/2024-01-02.json': JSON.stringify(
    messages.map((message, n) => ({
      ...{ type: 'message', user: 'U1', text: '', ts: `${1704200000 + n}.000100` },
      ...message,
    })),
  ),
})
