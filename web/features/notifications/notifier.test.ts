import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setSessionUser } from '../../session/session.ts'
import { SharedStorage } from '../../test/shared-storage.ts'
import { notePictures } from '../../ui/pictures.ts'
import { type AppNotification, notify, notifyRead } from './notification-bus.ts'
import { startNotifier } from './notifier.ts'
import { isConversationOnScreen } from './on-screen.ts'
import { disableNotifications, enableNotifications } from './permission.ts'
import { savePushMemory } from './push/push-memory.ts'

interface Shown {
  title: string
  icon: string
  isClosed: boolean
}
const shown: Shown[] = []

/** A stub of the browser's notifications, with permission granted. */
class Recorded {
  static permission = 'granted'
  static requestPermission = async () => 'granted'
  record: Shown
  onclose?: () => void
  constructor(title: string, { icon }: { icon: string }) {
    this.record = { title, icon, isClosed: false }
    shown.push(this.record)
  }
  close() {
    this.record.isClosed = true
    this.onclose?.()
  }
}

let hasFocus = true
let end: () => void
let missed = 0
beforeEach(() => {
  vi.useFakeTimers()
  const window = Object.assign(new EventTarget(), { isSecureContext: true, Notification: Recorded })
  vi.stubGlobal('window', window)
  vi.stubGlobal('Notification', Recorded)
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => hasFocus })
  vi.stubGlobal('location', { pathname: '/channels/here', search: '' })
  setSessionUser('bob')
  shown.length = 0
  missed = 0
  hasFocus = true
  end = startNotifier(
    () => {},
    () => missed++,
  )
})
afterEach(() => {
  end()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const arrive = (
  id: string,
  {
    channelId = 'there',
    authorId = 'bob',
    isRead = () => false,
  }: Partial<AppNotification> & { channelId?: string } = {},
) => {
  const isOnScreen = () => isConversationOnScreen({ channelId, threadId: null })
  notify({ id, address: `/channels/${channelId}`, authorId, title: id, content: '', isRead, isOnScreen })
}
const titles = () => shown.map(({ title }) => title)
const aSecond = () => vi.advanceTimersByTimeAsync(1000)

test('a message is notified a second later, unless it was read by then, on whichever device', async () => {
  let isRead = false
  arrive('unread')
  arrive('read at once', { isRead: () => isRead })
  await vi.advanceTimersByTimeAsync(900)
  expect(titles()).toEqual([])
  isRead = true
  await aSecond()
  expect(titles()).toEqual(['unread'])
})

test('a notification shows the picture of the author, or the icon of Parley', async () => {
  notePictures([
    { id: 'mei', avatarUrl: '/api/avatars/mei/0123/256' },
    { id: 'cyd', avatarUrl: null },
  ])
  for (const authorId of ['mei', 'cyd', 'unknown']) arrive(`by ${authorId}`, { authorId })
  await aSecond()
  expect(shown.map(({ icon }) => icon)).toEqual(['/api/avatars/mei/0123/256', '/icon.svg', '/icon.svg'])
})

test('a message on screen in the focused window is not notified by any tab', async () => {
  arrive('on screen', { channelId: 'here' })
  hasFocus = false
  // As another tab would.
  arrive('on screen', { channelId: 'here' })
  arrive('elsewhere', { channelId: 'here' })
  await aSecond()
  expect(titles()).toEqual(['elsewhere'])
})

test('only one of several tabs notifies, and reading the message closes its notification', async () => {
  let isRead = false
  for (const _ of ['one tab', 'another']) arrive('once', { isRead: () => isRead })
  await aSecond()
  expect(shown).toEqual([{ title: 'once', icon: '/icon.svg', isClosed: false }])
  isRead = true
  notifyRead()
  expect(shown).toEqual([{ title: 'once', icon: '/icon.svg', isClosed: true }])
})

test('a device with notifications turned off shows none and notes that it missed one, until they are turned on again', async () => {
  disableNotifications()
  arrive('told to nobody')
  await aSecond()
  expect([titles(), missed]).toEqual([[], 1])
  await enableNotifications()
  arrive('told again')
  await aSecond()
  expect(titles()).toEqual(['told again'])
})

/** What the service worker says, and the page's answer. */
async function workerSays(workers: EventTarget, data: object) {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
  workers.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port2] }))
  return answer.finally(() => port1.close())
}

test('the page leaves notifications that are pushed to the service worker, and opens what was clicked there', async () => {
  end()
  const workers = new EventTarget()
  vi.stubGlobal('navigator', { serviceWorker: workers })
  const opened: string[] = []
  end = startNotifier(
    (address) => opened.push(address),
    () => {},
  )
  arrive('pushed before')
  expect(await workerSays(workers, { kind: 'push: arriving', tag: 'pushed before' })).toBe(false)
  arrive('pushed after')
  await aSecond()
  expect(titles()).toEqual(['pushed after'])
  expect(await workerSays(workers, { kind: 'push: arriving', tag: 'pushed after' })).toBe(true)
  arrive('pushed after')
  await aSecond()
  expect(shown.map(({ isClosed }) => isClosed)).toEqual([true])
  expect(await workerSays(workers, { kind: 'push: open', path: '/later' })).toBe(true)
  expect(opened).toEqual(['/later'])
})

test('a pushed notification closes once its message was read, or its conversation is on screen', async () => {
  end()
  vi.stubGlobal('localStorage', new SharedStorage())
  setSessionUser('bob')
  savePushMemory('bob', { endpoint: 'https://push/1', hidesText: false })
  const closed: string[] = []
  const pushed = (tag: string, channelId: string) => ({
    tag,
    data: { path: '/', message: { id: tag, channelId, threadId: null } },
    close: () => closed.push(tag),
  })
  const getNotifications = async () => [pushed('read', 'there'), pushed('unread', 'there'), pushed('on screen', 'here')]
  const workers = Object.assign(new EventTarget(), { getRegistration: async () => ({ getNotifications }) })
  vi.stubGlobal('navigator', { serviceWorker: workers })
  end = startNotifier(
    () => {},
    () => {},
  )
  let isRead = false
  for (const id of ['read', 'unread']) {
    await workerSays(workers, { kind: 'push: arriving', tag: id })
    arrive(id, { isRead: () => id === 'read' && isRead })
  }
  await aSecond()
  hasFocus = false
  notifyRead()
  await aSecond()
  expect(closed).toEqual([])
  isRead = true
  hasFocus = true
  notifyRead()
  await aSecond()
  expect(closed).toEqual(['read', 'on screen'])
})
