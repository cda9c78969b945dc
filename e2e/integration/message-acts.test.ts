import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { deleteSoon, UNDO_MS, undoDeletion } from '../../web/features/messages/actions/delete-soon.ts'
import { deleted } from '../../web/features/messages/actions/pending-deletions.ts'
import { currentDrafts, dropDrafts, openDrafts } from '../../web/features/messages/outbox/current-drafts.ts'
import { changeEdit, hasConflict, leaveEdit, saveEdit } from '../../web/features/messages/outbox/edit-saving.ts'
import { type Edit, editKey, editStates, startEdit } from '../../web/features/messages/outbox/open-edits.ts'
import { keyOf, optimistic } from '../../web/features/messages/row/optimistic-reactions.ts'
import { toggleReaction } from '../../web/features/messages/row/toggle-reaction.ts'
import { messagesIn } from '../../web/features/messages/sync/message-queries.ts'
import { startTalk } from './cached-browser.ts'

// Bob's actions on messages in his browser, against a real server: edits, reactions and deletions.

let talk: Awaited<ReturnType<typeof startTalk>>
/** The modifying requests, as 'PUT /api/…'; they wait for the gate. */
let requests: string[] = []
let gate: Promise<unknown> = Promise.resolve()
let isCut = false
beforeAll(async () => {
  talk = await startTalk()
  vi.stubGlobal('window', new EventTarget())
  const calm = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    if (!init?.method || init.method === 'GET' || !String(url).includes('/messages')) return calm(url, init)
    if (isCut) throw new TypeError('Failed to fetch')
    requests.push(init.method)
    await gate
    return calm(url, init)
  }
})

let count = 0
let browser: Awaited<ReturnType<typeof talk.bobIn>>
let message: Message
beforeEach(async () => {
  const { ada, bob } = talk
  const { body } = await ada.post('/api/channels', { name: `acts-${count++}`, members: [bob.id] })
  message = await bob.say(body.id, 'version 0')
  browser = await talk.bobIn(body.id)
  dropDrafts()
  openDrafts(bob.id)
  isCut = false
  gate = Promise.resolve()
  requests = []
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const cached = () =>
  browser.client
    .getQueryData(messagesIn(message.channelId).queryKey)
    ?.messages.find(({ id }) => id === message.id) as Message
const stored = async (): Promise<Message> =>
  (await talk.bob.get(`/api/messages/channel/${message.channelId}`)).body.find(({ id }: Message) => id === message.id)

/** Bob's edit, in the form's state. */
function edit(): Edit | undefined {
  const { text, edit: original } = currentDrafts().get(editKey(message))
  return original && { ...editStates.get(message.id), text, original }
}
const open = () => startEdit(cached(), { kind: 'channel' })
const type = (text: string) => changeEdit(cached(), text)
const save = (over?: Message) => saveEdit(browser.client, cached(), edit() as Edit, over)

test('an edit is saved once and its draft ends; an unchanged one is not sent', async () => {
  open()
  await save()
  expect([edit(), requests]).toEqual([undefined, []])
  open()
  type('version 1 ')
  await save()
  expect(edit()).toBeUndefined()
  expect(cached().content).toBe('version 1')
  expect(await stored()).toMatchObject({ content: 'version 1', editedAt: expect.any(String) })
})

test('an edit of an outdated version overwrites nothing until it is saved anyway', async () => {
  open()
  type('mine')
  // Bob's other device; this one has not received the event yet.
  const release = browser.pause()
  await talk.bob.put(`/api/messages/${message.id}`, { content: 'theirs' })
  await save()
  release()
  expect((await stored()).content).toBe('theirs')
  expect(edit()).toMatchObject({ text: 'mine', isOpen: true, isSaving: false })
  expect(cached().content).toBe('theirs')
  expect(hasConflict(cached(), edit() as Edit)).toBe(true)
  await save(cached())
  expect((await stored()).content).toBe('mine')
  expect(edit()).toBeUndefined()
})

test('an edit reopened while it is being saved keeps newly typed text', async () => {
  open()
  type('begun and saved')
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const saving = save()
  leaveEdit(cached(), edit() as Edit)
  open()
  type('begun and saved and more')
  resolve()
  await saving
  expect((await stored()).content).toBe('begun and saved')
  expect(edit()).toMatchObject({ text: 'begun and saved and more', isOpen: true, isSaving: false })
  await save()
  expect((await stored()).content).toBe('begun and saved and more')
})

test('a text that is empty, rejected or not sent stays in the edit, with the reason', async () => {
  open()
  type(' \n ')
  await save()
  expect(edit()).toMatchObject({ text: ' \n ', problem: "Messages can't be empty. Delete it instead?" })
  isCut = true
  type('in the dark')
  await save()
  expect(edit()).toMatchObject({ text: 'in the dark', problem: 'Couldn’t edit message: no connection' })
  isCut = false
  await talk.bob.delete(`/api/messages/${message.id}`)
  await save()
  expect(edit()).toMatchObject({ text: 'in the dark', problem: 'Couldn’t edit message: the message was deleted' })
})

const react = () => toggleReaction(cached(), '👍', talk.bob.id)
const choice = () => optimistic.get(keyOf(message, talk.bob.id))?.['👍']
const reacted = async () => (await stored()).reactions['👍']?.map(({ id }) => id) ?? []

test('after quick clicks on a reaction the last one counts, and one request is sent at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const first = react()
  await react()
  expect(choice()).toMatchObject({ isMine: false })
  await vi.waitFor(() => expect(requests).toEqual(['POST']))
  resolve()
  await first
  expect(requests).toEqual(['POST', 'DELETE'])
  expect(await reacted()).toEqual([])

  const again = Promise.withResolvers<void>()
  gate = again.promise
  const clicks = [react(), react(), react()]
  again.resolve()
  await Promise.all(clicks)
  expect(requests).toEqual(['POST', 'DELETE', 'POST'])
  expect(await reacted()).toEqual([talk.bob.id])
  expect(choice()).toMatchObject({ isMine: true })
})

test('a reaction that could not be sent is reverted', async () => {
  isCut = true
  await react()
  expect(choice()).toBeUndefined()
  expect(console.error).toHaveBeenCalledWith('Couldn’t add reaction:', expect.anything())
})

test('if more people reacted than are listed, the server says whether I did', async () => {
  await talk.bob.post(`/api/messages/${message.id}/reactions`, { emoji: '👍' })
  requests = []
  const crowd = Array.from({ length: 50 }, (_, i) => ({ id: `u${i}`, username: `u${i}`, name: `Person ${i}` }))
  await toggleReaction(
    { ...(await stored()), reactions: { '👍': crowd }, reactionCounts: { '👍': 73 } },
    '👍',
    talk.bob.id,
  )
  expect(requests).toEqual(['DELETE'])
  expect(await reacted()).toEqual([])
})

/** Deletes the message and lets five seconds pass, during which Bob does something. */
async function deletedWith(act: () => void) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    deleteSoon(message)
    await vi.advanceTimersByTimeAsync(UNDO_MS - 1)
    expect(deleted.get(message.id)).toBe(true)
    expect(requests).toEqual([])
    act()
    await vi.advanceTimersByTimeAsync(1)
  } finally {
    vi.useRealTimers()
  }
}

test('a deletion is sent after five seconds; one that was undone is not', async () => {
  await deletedWith(() => undoDeletion(message.id))
  expect(deleted.get(message.id)).toBeUndefined()
  expect(requests).toEqual([])
  await deletedWith(() => {})
  await vi.waitFor(async () => expect((await stored()).deletedAt).not.toBeNull(), { timeout: STATE_TIMEOUT_MS })
  expect(deleted.get(message.id)).toBe(true)
})

test('a failed deletion restores the message', async () => {
  isCut = true
  await deletedWith(() => {})
  await vi.waitFor(() => expect(deleted.get(message.id)).toBeUndefined(), { timeout: STATE_TIMEOUT_MS })
  expect(console.error).toHaveBeenCalledWith('Couldn’t delete message:', expect.anything())
  expect((await stored()).deletedAt).toBeNull()
})
